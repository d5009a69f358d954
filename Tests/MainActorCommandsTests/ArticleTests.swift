import TestSupport
import Testing

/// The Swift of the articles stands in the sources of this target too, so the compiler reads it: in a module whose default
/// isolation is the main actor.
struct ArticleTests {
  @Test(
    "every Swift block of the articles is compiled by this target",
    arguments: [
      ("RASPCommands/RASPCommands.docc/RASPCommands.md", "CommandsArticle.swift", 8),
      ("RASPCommands/RASPCommands.docc/MigratingFromAftermath.md", "Migration.swift", 7),
      ("RASPCommandServices/RASPCommandServices.docc/RASPCommandServices.md", "BridgeArticle.swift", 4),
    ]
  )
  func blocksAreCompiled(article: String, source: String, count: Int) throws {
    let blocks = try Self.blocks(in: SourceFiles.lines(of: "Sources/\(article)"))
    let source = try Self.unindented(SourceFiles.lines(of: "Tests/MainActorCommandsTests/\(source)"))
    #expect(blocks.count >= count)
    for block in blocks { #expect(source.contains(block), "not compiled as it stands in the article:\n\(block)") }
  }

  private static func blocks(in article: [String]) -> [String] {
    var blocks: [String] = []
    var open: [String]?
    for line in article {
      if line == "```swift" {
        open = []
      } else if line == "```", let block = open {
        blocks.append(unindented(block))
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  /// The lines without the spaces before them: a block may stand in a function here.
  private static func unindented(_ lines: [String]) -> String {
    lines.map { String($0.drop { $0 == " " }) }.joined(separator: "\n") + "\n"
  }
}
