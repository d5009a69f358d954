import Foundation
import TestSupport
import Testing

@testable import Playground

/// A file that collects what a scenario writes, removed with this object.
final class OutputFile: Sendable {
  let output: Output
  private let handle: FileHandle
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "playground-\(UUID().uuidString)")
    try Data().write(to: url)
    handle = try FileHandle(forWritingTo: url)
    output = Output(descriptor: handle.fileDescriptor)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// What has been written so far.
  func lines() throws -> [String] {
    // A return and a line feed are one character.
    try text().split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  func text() throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }

  /// The objects that have been written so far, one a line.
  func objects() throws -> [[String: Any]] {
    try lines().filter { !$0.isEmpty }.map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// Waits until a line like this has been written.
  func wait(for line: String) async throws {
    #expect(try await eventually { try lines().contains(line) })
  }
}

/// The path of a file that is not there yet, in a folder that is removed with this object.
final class TemporaryFolder: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "playground-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}

/// Where one of the recordings for the tests is.
func recording(_ name: String) throws -> String {
  guard let url = Bundle.module.url(forResource: name, withExtension: "nmea", subdirectory: "Recordings")
  else {
    throw CocoaError(.fileNoSuchFile)
  }
  return url.path
}
