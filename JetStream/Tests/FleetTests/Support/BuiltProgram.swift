import Foundation
import Subprocess

/// A program of this package, as it was built for the tests.
struct BuiltProgram: Sendable {
  let name: String

  /// Runs it to its end.
  ///
  /// - Parameter path: the folders of programs; those of the test unless they are given.
  /// - Returns: its status, and what it has written, with its errors.
  func run(_ arguments: [String], path: String? = nil) async throws -> (status: Int32, lines: [String]) {
    let result = try await Subprocess.run(
      .path(.init(Self.folder.appending(path: name).path)),
      arguments: Arguments(arguments),
      environment: path.map { .inherit.updating(["PATH": $0]) } ?? .inherit,
      output: .string(limit: 1 << 20),
      error: .combinedWithOutput
    )
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    switch result.terminationStatus {
    case .exited(let status), .signaled(let status): return (status, lines)
    }
  }

  private static var folder: URL {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    return bundle?.deletingLastPathComponent()
      ?? URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
  }
}
