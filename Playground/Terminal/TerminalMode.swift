import Foundation
import Synchronization

/// How the terminal of standard input treats what is typed.
enum TerminalMode {
  /// The mode before it was changed; `nil` if it is as it was.
  private static let original = Mutex<termios?>(nil)

  /// Has each key sent at once and without an echo. `^C` interrupts as before.
  ///
  /// - Returns: whether it does so now: `false` if there is no terminal, or if it belongs to another program at
  ///   present.
  static func enterKeys() -> Bool {
    guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return false }
    return original.withLock { original in
      guard original == nil else { return true }
      var mode = termios()
      guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
      let before = mode
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return false }
      original = before
      _ = Restoration.add(restore)
      return true
    }
  }

  /// Puts the terminal back, if it is not as it was. It also happens when the program ends on the spot.
  static func restore() {
    original.withLock { original in
      guard var mode = original.take() else { return }
      _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
  }
}
