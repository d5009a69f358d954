import TestSupport
import Testing

/// The Swift of the article about Aftermath stands in the sources of this target too, so the compiler reads it: in a module
/// whose default isolation is the main actor.
struct ArticleTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let article = try SourceFiles.lines(of: "Sources/RASPCommands/RASPCommands.docc/MigratingFromAftermath.md")
    let source = try SourceFiles.lines(of: "Tests/MainActorCommandsTests/Migration.swift").joined(separator: "\n")
    let blocks = article.joined(separator: "\n").split(separator: "```swift\n").dropFirst()
      .map { $0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex) }
    #expect(blocks.count > 5)
    for block in blocks { #expect(source.contains(block), "not compiled as it stands in the article:\n\(block)") }
  }
}
