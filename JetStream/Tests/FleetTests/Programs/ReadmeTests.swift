import Foundation
import Testing

/// The Swift of the README stands in `ReadmeBlocks.swift` too, so that the compiler reads it.
struct ReadmeTests {
  @Test("every Swift block of the README is compiled")
  func blocks() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let readme = try Self.lines(of: folder.appending(path: "../../../README.md").standardizedFileURL)
    let source = try Self.lines(of: folder.appending(path: "ReadmeBlocks.swift"))
    let blocks = Self.blocks(of: readme)
    #expect(blocks.count == 4)
    for block in blocks {
      #expect(source.indices.contains { source[$0...].starts(with: block) }, "\(block)")
    }
  }

  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  private static func blocks(of lines: [String]) -> [[String]] {
    var blocks: [[String]] = []
    var open: [String]?
    for line in lines {
      if line == "```swift" {
        open = []
      } else if line == "```", let block = open {
        blocks.append(block)
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }
}
