import Foundation

/// Reads the package's own files, for tests that hold documentation and code together. They must run in the checkout
/// that they were built in.
package enum SourceFiles {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of a file, by its path in the package.
  package static func lines(of path: String) throws -> [String] {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The Swift files below a folder of the package, by their paths in it, sorted.
  package static func swiftFiles(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }
      .map { "\(folder)/\($0)" }
      .sorted()
  }
}
