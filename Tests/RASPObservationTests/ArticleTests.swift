import TestSupport
import Testing

/// The Swift of the articles stands in the sources of this test target too, so the compiler reads it; what needs SwiftUI
/// or UIKit is compiled where they can be imported.
struct ArticleTests {
  @Test("every Swift block of the articles stands in this target", arguments: ["ViewModels.md", "RASPObservation.md"])
  func blocksAreCompiled(article: String) throws {
    let text = try SourceFiles.lines(of: "Sources/RASPObservation/RASPObservation.docc/\(article)")
    let sources = try SourceFiles.swiftFiles(below: "Tests/RASPObservationTests").map {
      try code(in: SourceFiles.lines(of: $0))
    }
    for block in swiftBlocks(in: text) {
      #expect(
        sources.contains { contains($0, code(in: block)) },
        "not compiled as it stands in the article:\n\(block.joined(separator: "\n"))"
      )
    }
  }

  private func swiftBlocks(in lines: [String]) -> [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    for line in lines {
      if line == "```swift" {
        block = []
      } else if line == "```", let finished = block {
        blocks.append(finished)
        block = nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }

  /// Without indentation and empty lines, so that a block may stand inside a function, and without the isolation that
  /// the default of this target asks for.
  private func code(in lines: [String]) -> [String] {
    lines.map { line in
      let text = line.drop { $0 == " " }
      return String(text.hasPrefix("nonisolated ") ? text.dropFirst("nonisolated ".count) : text)
    }.filter { !$0.isEmpty }
  }

  /// Whether `part` stands in `whole`, in one piece.
  private func contains(_ whole: [String], _ part: [String]) -> Bool {
    guard whole.count >= part.count else { return false }
    return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
  }
}
