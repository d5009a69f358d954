import Foundation

/// The process that has started this one as a ``ChildProcess``.
package enum ParentProcess {
  /// Listens to its lines, and ends this process as soon as the other one has ended, however that came about.
  package static func listen(onLine: @escaping @Sendable (String) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    LineReader.read(.standardInput, onLine: onLine) { exit(0) }
  }

  /// Writes a line to it, which it has when this returns.
  package static func tell(_ line: String) {
    _ = try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The path of this program, to start it again in another role.
  package static var ownExecutable: String {
    Bundle.main.executablePath ?? ProcessInfo.processInfo.arguments[0]
  }
}
