import Foundation
import Synchronization

/// The terminal of this process: a screen of its own to draw on, and single keys. All is put back at the end.
///
/// Safe to share: what changes is behind the lock.
final class Terminal: Sendable {
  private let original: Mutex<termios?>

  /// - Returns: `nil` if input or output is no terminal.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else {
      return nil
    }
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    original = Mutex(mode)
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return nil }
    // The alternate screen, without a cursor.
    Self.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// The keys that are pressed, as long as there is a terminal.
  var keys: AsyncStream<Character> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 { continuation.yield(Character(UnicodeScalar(byte))) }
        continuation.finish()
      }
    }
  }

  /// Draws lines over those before.
  func draw(_ lines: [String]) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let (columns, rows) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    let picture = lines.prefix(rows).map { $0.prefix(columns) + "\u{1B}[K" }.joined(separator: "\r\n")
    Self.write("\u{1B}[H\(picture)\u{1B}[J")
  }

  /// Puts the terminal back. Called again it does nothing.
  func close() {
    original.withLock { original in
      guard var mode = original.take() else { return }
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
      Self.write("\u{1B}[?25h\u{1B}[?1049l")
    }
  }

  private static func write(_ text: String) {
    _ = try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}

/// `^C` and `kill`, which end the fleet in order.
enum Interrupt {
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  static func watch(_ onInterrupt: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      sources.withLock { sources in
        let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "RASPFleet.Interrupt"))
        source.setEventHandler(handler: onInterrupt)
        source.resume()
        sources.append(source)
      }
    }
  }
}
