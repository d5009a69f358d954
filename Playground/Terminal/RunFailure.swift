import Foundation

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
