import TestSupport
import Testing

/// The Swift of the articles stands in the sources of this test target too, so the compiler reads it: in a module whose
/// default isolation is the main actor.
struct ArticleTests {
  @Test(
    "every Swift block of the articles is compiled by this target",
    arguments: [
      ("RASPCommands/RASPCommands.docc/RASPCommands.md", 8),
      ("RASPCommands/RASPCommands.docc/MigratingFromAftermath.md", 8),
      ("RASPCommandServices/RASPCommandServices.docc/RASPCommandServices.md", 4),
    ]
  )
  func blocksAreCompiled(article: String, count: Int) throws {
    #expect(try ArticleBlocks.count(in: "Sources/\(article)") >= count)
    #expect(try ArticleBlocks.notCompiled(of: "Sources/\(article)", in: "Tests/MainActorCommandsTests") == [])
  }
}
