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
    try files(withSuffix: ".swift", below: folder)
  }

  /// The articles and landing pages of all modules, by their paths in the package, sorted.
  package static func articles() throws -> [String] {
    try files(withSuffix: ".md", below: "Sources")
  }

  private static func files(withSuffix suffix: String, below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(suffix) }
      .map { "\(folder)/\($0)" }
      .sorted()
  }
}
