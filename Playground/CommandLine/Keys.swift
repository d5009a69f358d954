import Foundation
import Streams
import Synchronization

extension Observable where Element == TerminalKey, Failure == Never {
  /// The keys that are pressed on the terminal of standard input, each at once and not shown on the screen. Without a terminal
  /// the stream finishes without a key.
  static var keys: Observable {
    Observable { producer in
      guard TerminalMode.enterKeys(), let input = try? Input(path: "-") else {
        TerminalMode.restore()
        producer.finish()
        return
      }
      let reading = Task {
        do {
          for try await chunk in input {
            for key in TerminalKey.keys(in: chunk) { producer.send(key) }
          }
        } catch {
          // A terminal that has gone presses no more keys.
        }
        producer.finish()
      }
      producer.onTermination {
        reading.cancel()
        TerminalMode.restore()
      }
    }
  }
}

/// How the terminal of standard input treats what is typed.
enum TerminalMode {
  /// The mode before it was changed; `nil` if it is as it was.
  private static let original = Mutex<termios?>(nil)

  /// Has each key sent at once and without an echo. `^C` interrupts as before.
  ///
  /// - Returns: `false` if there is no terminal, or if it belongs to another program at present.
  static func enterKeys() -> Bool {
    guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return false }
    return original.withLock { original in
      var mode = termios()
      guard original == nil, tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
      let before = mode
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return false }
      original = before
      return true
    }
  }

  /// Puts the terminal back. The program calls it before it ends, however it ends.
  static func restore() {
    original.withLock { original in
      guard var mode = original.take() else { return }
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
  }
}
