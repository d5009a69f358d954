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

  /// The user could not wait for the end.
  case interrupted = 130

  /// Ends the program on the spot: whatever thread this is called on, nothing is left to clean up
  /// but the terminal.
  func exit() -> Never {
    Restoration.run()
    _exit(rawValue)
  }
}
