import Foundation
import Streams
import Synchronization

/// A key that was pressed on a terminal.
enum TerminalKey: Equatable, Sendable {
  case character(Character)
  case backspace, tab, escape
  /// `^D`: the end of the input.
  case end

  /// The keys in a chunk of bytes, as a terminal sends them.
  ///
  /// A key that is not known here, such as F1, comes as a sequence of characters that begins with an escape. It
  /// comes in one chunk, and an escape that was pressed is the last of its chunk.
  static func keys(in chunk: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var rest = chunk[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
        rest.removeFirst()
        // Parameters, and then the byte that ends the sequence.
        while let next = rest.popFirst(), !(0x40...0x7E).contains(next) {}
      case 0x1B: keys.append(.escape)
      case 0x04: keys.append(.end)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x09: keys.append(.tab)
      case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
      default: break
      }
    }
    return keys
  }
}

extension Observable where Element == TerminalKey, Failure == Never {
  /// The keys that are pressed on the terminal of standard input, each at once and not shown on the screen. Without a
  /// terminal the stream finishes without a key.
  static var keys: Observable {
    Observable { producer in
      guard TerminalMode.enterKeys(), let input = try? Input(path: "-") else {
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
private enum TerminalMode {
  /// The mode before it was changed; `nil` if it is as it was.
  private static let original = Mutex<termios?>(nil)

  /// Has each key sent at once and without an echo. `^C` interrupts as before.
  ///
  /// - Returns: whether it does so now: `false` if there is no terminal, or if it belongs to another program.
  static func enterKeys() -> Bool {
    guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return false }
    return original.withLock { original in
      var mode = termios()
      guard original == nil, tcgetattr(STDIN_FILENO, &mode) == 0 else { return original != nil }
      original = mode
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      ExitStatus.beforeExit(restore)
      return tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0
    }
  }

  /// Puts the terminal back, if it is not as it was.
  static func restore() {
    original.withLock { original in
      guard var mode = original.take() else { return }
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
  }
}
