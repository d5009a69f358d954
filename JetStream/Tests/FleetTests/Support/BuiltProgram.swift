import FleetProcesses
import Foundation
import Synchronization

/// A program of this package, as it was built for the tests.
struct BuiltProgram: Sendable {
  let name: String

  /// Runs it to its end.
  ///
  /// - Parameter path: the folders of programs; those of the test unless they are given.
  /// - Returns: its status, and what it has written, with its errors.
  func run(_ arguments: [String], path: String? = nil) async throws -> (status: Int32, lines: [String]) {
    let lines = Mutex<[String]>([])
    let words = [Self.folder.appending(path: name).path] + arguments
    let (ends, ending) = AsyncStream.makeStream(of: Void.self)
    // The shell joins errors and output, and says when both have ended.
    let path = path ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
    let child = try ChildProcess(
      "/bin/sh",
      ["-c", "PATH=$0; \"$@\" 2>&1 </dev/null; echo \"status $?\"", path] + words
    ) {
      line in
      lines.withLock { $0.append(line) }
      if line.hasPrefix("status ") { ending.finish() }
    }
    for await _ in ends {}
    await child.end()
    var all = lines.withLock { $0 }
    let status = all.removeLast().split(separator: " ").last.flatMap { Int32($0) } ?? -1
    return (status, all)
  }

  private static var folder: URL {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    return bundle?.deletingLastPathComponent()
      ?? URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
  }
}
