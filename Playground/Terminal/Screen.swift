import Synchronization

/// Draws pictures over one another on a terminal, on a screen of its own: what was there before comes back at the end.
///
/// Safe to share: what changes is behind the lock, which is held while a picture is written, so that none follows the
/// end.
final class Screen: Sendable {
  private enum Phase {
    case closed, suspended
    /// With the step that closes the screen if the program ends on the spot.
    case open(Restoration.Token)
  }

  private static let closing = "\u{1B}[?25h\u{1B}[?1049l"

  let output: Output
  private let phase = Mutex(Phase.closed)

  init(output: Output) {
    self.output = output
  }

  /// Draws lines over those of the picture before. Lines and columns that the terminal does not have are cut off.
  /// Nothing is drawn while the screen is suspended.
  func draw(_ lines: [String]) {
    phase.withLock { phase in
      if case .suspended = phase { return }
      let size = output.terminalSize
      let picture = lines.prefix(size.rows).map { $0.clipped(to: size.columns) + "\u{1B}[K" }
      var opening = ""
      if case .closed = phase {
        // It takes no lock: the thread that ends the program may hold it.
        phase = .open(Restoration.add { [output] in output.writeIfPossible(Self.closing) })
        // The alternate screen, without a cursor.
        opening = "\u{1B}[?1049h\u{1B}[?25l"
      }
      output.write(opening + "\u{1B}[H" + picture.joined(separator: "\r\n") + "\u{1B}[J")
    }
  }

  /// Gives the terminal back as it was.
  func close() { leave(to: .closed) }

  /// Gives the terminal back until ``resume()``.
  func suspend() { leave(to: .suspended) }

  /// Draws again from the next picture on.
  func resume() {
    phase.withLock { phase in
      if case .suspended = phase { phase = .closed }
    }
  }

  private func leave(to next: Phase) {
    phase.withLock { phase in
      if case .open(let token) = phase {
        Restoration.remove(token)
        output.writeIfPossible(Self.closing)
      }
      phase = next
    }
  }
}
