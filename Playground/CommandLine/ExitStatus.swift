import Foundation

/// How the program ends, in the numbers of sysexits.h.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The command line was wrong.
  case usage = 64
  /// The input cannot be read.
  case noInput = 66
  /// A mistake in the program itself.
  case software = 70
  /// The output cannot be written.
  case ioError = 74

  /// Ends the program on the spot: whatever thread this is called on, nothing is left to clean up
  /// but the terminal.
  func exit() -> Never {
    TerminalMode.restore()
    _exit(rawValue)
  }
}

/// Why the program ends early: one line for the user that names the remedy.
struct RunFailure: Error, Equatable, Sendable {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// What the system has to say about an error number, to be part of a message.
  static func reason(forError number: Int32) -> String {
    // Foundation's own descriptions of these errors put a sentence around the reason.
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
