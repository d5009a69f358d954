import Foundation

/// The process that has started this one as a ``ChildProcess``.
package enum ParentProcess {
  /// Listens to its lines, and ends this process as soon as the other one has ended, however that came about.
  package static func listen(onLine: @escaping @Sendable (String) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    // On a thread of its own: a read that waits must not keep a thread of the pool.
    Thread.detachNewThread {
      while let line = readLine() { onLine(line) }
      exit(0)
    }
  }

  /// Has the owners of the fleet end in order when the parent says "stop".
  ///
  /// - Returns: a stream that ends then.
  package static func stopRequest() -> AsyncStream<Void> {
    let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
    listen { line in
      if line == "stop" { stopping.finish() }
    }
    return stop
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
