import Aggregate
import Streams
import TestSupport
import Testing

/// The Swift of the README and of an article stands in the sources of this test target too, so the compiler reads it;
/// here it is checked that it is the same.
struct ReadmeTests {
  @Test(
    "every Swift block is compiled by this target",
    arguments: [
      "README.md", "Sources/Aggregate/Aggregate.docc/MigratingFromRaspSwift.md",
      "Sources/Aggregate/Aggregate.docc/Aggregate.md", "Sources/Streams/Streams.docc/Streams.md",
    ]
  )
  func blocksAreCompiled(text: String) throws {
    #expect(try ArticleBlocks.count(in: text) > 0)
    #expect(try ArticleBlocks.notCompiled(of: text, in: "Tests/ReadmeTests") == [])
  }

  @Test("every Swift block of every article stands in the sources of a test target")
  func allArticles() throws {
    let articles = try SourceFiles.articles()
    #expect(articles.count >= 15)
    for article in articles {
      let missing = try ArticleBlocks.notCompiled(of: article, in: "Tests", "JetStream/Tests", "Server/Tests")
      #expect(missing == [], "\(article)")
    }
  }

  @Test("the README's two commands stand on lines of their own")
  func commandsAreThere() throws {
    let readme = try SourceFiles.lines(of: "README.md")
    #expect(readme.contains("swift run Playground"))
    #expect(readme.contains("swift test"))
  }

  @Test("the recipes for users of RaspSwift work")
  func recipes() {
    let (crawler, cleaner) = (Subject<String, Never>(), Subject<String, Never>())
    let (tokens, links) = readLinks(crawler: crawler.observable, cleaner: cleaner.observable)
    crawler.send("/authors")
    cleaner.send("/books")
    #expect(links.snapshot.links == ["/books", "/authors"])
    let changed = changeSource(crawler: crawler.observable)
    crawler.send("/shelves")
    #expect(changed.snapshot.links == ["/shelves"])
    withExtendedLifetime(tokens) {}
  }
}
