import Foundation

/// The process that has started this one as a ``ChildProcess``.
package enum ParentProcess {
  /// Listens to it, and ends this process as soon as it has ended, however that came about.
  ///
  /// - Returns: a stream that ends when it says "stop".
  package static func stopRequest() -> AsyncStream<Void> {
    let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
    signal(SIGPIPE, SIG_IGN)
    // On a thread of its own: a read that waits must not keep a thread of the pool.
    Thread.detachNewThread {
      while let line = readLine() {
        if line == "stop" { stopping.finish() }
      }
      exit(0)
    }
    return stop
  }

  /// Writes a value to it, which reads it with ``jsonValue(of:as:)``.
  package static func tell(_ value: some Encodable) { tell(jsonLine(of: value)) }

  /// Writes a line to it, which it has when this returns.
  package static func tell(_ line: String) {
    _ = try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The path of this program, to start it again in another role.
  package static var ownExecutable: String {
    Bundle.main.executablePath ?? ProcessInfo.processInfo.arguments[0]
  }
}

/// A value as a line, and back: `nil` if a line is none of such a value, or is torn.
package func jsonLine(of value: some Encodable) -> String {
  // Numbers and texts always have JSON, without line breaks.
  String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
}

package func jsonValue<Value: Decodable>(of line: some StringProtocol, as type: Value.Type = Value.self) -> Value? {
  try? JSONDecoder().decode(type, from: Data(line.utf8))
}
