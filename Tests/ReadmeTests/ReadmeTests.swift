import TestSupport
import Testing

/// The Swift of the README stands in the sources of this test target too, so the compiler reads it; here it is checked
/// that it is the same.
struct ReadmeTests {
  @Test("every Swift block of the README is compiled by this target")
  func blocksAreCompiled() throws {
    #expect(try ArticleBlocks.count(in: "README.md") > 0)
    #expect(try ArticleBlocks.notCompiled(of: "README.md", in: "Tests/ReadmeTests") == [])
  }

  @Test("the README's two commands stand on lines of their own")
  func commandsAreThere() throws {
    let readme = try SourceFiles.lines(of: "README.md")
    #expect(readme.contains("swift run Playground"))
    #expect(readme.contains("swift test"))
  }
}
