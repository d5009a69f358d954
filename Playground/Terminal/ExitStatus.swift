import Foundation
import Synchronization

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

  private static let steps = Mutex<[@Sendable () -> Void]>([])

  /// Adds a step that puts something back before the program ends on the spot. It does nothing if that is done.
  static func beforeExit(_ step: @escaping @Sendable () -> Void) { steps.withLock { $0.append(step) } }

  /// Ends the program on the spot: whatever thread this is called on, nothing is left to clean up but the terminal.
  func exit() -> Never {
    for step in Self.steps.withLock({ $0 }) { step() }
    _exit(rawValue)
  }
}

/// Why the program ends early: one line for the user that names the remedy.
struct RunFailure: Error, Equatable, Sendable {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message.printable
  }

  /// A mistake on the command line, and where to read how to do it.
  static func usage(_ message: String) -> RunFailure {
    RunFailure(.usage, "\(message); see `swift run Playground --help`")
  }

  /// What the system has to say about an error number, to be part of a message.
  static func reason(forError number: Int32) -> String {
    // Foundation's own descriptions of these errors put a sentence around the reason.
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
