import RASPInsight
import Synchronization

/// Draws pictures over one another on a terminal, on a screen of its own: what was there before comes back at the end.
///
/// Safe to share: a picture is written behind the lock, so that none follows the end.
final class Screen: Sendable {
  private static let closing = "\u{1B}[?25h\u{1B}[?1049l"

  let output: Output
  private let drawing = Mutex(())
  /// It is not behind the lock, which a thread that ends the program may hold.
  private let isOpen = Atomic<Bool>(false)

  init(output: Output) {
    self.output = output
    ExitStatus.beforeExit { [weak self] in self?.leave() }
  }

  /// Draws lines over those of the picture before. Lines and columns that the terminal does not have are cut off.
  func draw(_ lines: [String]) {
    drawing.withLock { _ in
      let size = output.terminalSize
      let picture = lines.prefix(size.rows).map { $0.cut(to: size.columns) + "\u{1B}[K" }
      // The alternate screen, without a cursor.
      let opening = isOpen.exchange(true, ordering: .relaxed) ? "" : "\u{1B}[?1049h\u{1B}[?25l"
      output.write(opening + "\u{1B}[H" + picture.joined(separator: "\r\n") + "\u{1B}[J")
    }
  }

  /// Gives the terminal back as it was.
  func close() { drawing.withLock { _ in leave() } }

  private func leave() {
    if isOpen.exchange(false, ordering: .relaxed) { output.writeIfPossible(Self.closing) }
  }
}
