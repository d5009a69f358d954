import Aggregate
import Streams
import TestSupport
import Testing

struct ReadmeTests {
  @Test(
    "what the tests run is what the articles show",
    arguments: [
      "Aggregate/Aggregate.docc/MigratingFromRaspSwift": "Tests/ReadmeTests",
      "RASP.docc/MigratingFromCombine": "Tests/ReadmeTests",
      "RASP.docc/MigratingFromRxSwift": "Tests/ReadmeTests",
      "RASP.docc/Performance": "Tests/ReadmeTests",
      "RASP.docc/ServersAndClients": "Server/Tests",
      "RASP.docc/SourcesThatFail": "Tests/ReadmeTests",
      "RASP.docc/TestingYourPipeline": "Tests",
      "RASP.docc/TimeAndSchedulers": "Tests/ReadmeTests",
      "RASPJournal/RASPJournal.docc/ForgettingAPerson": "JetStream/Tests",
    ]
  )
  func blocksAreRun(article: String, tests: String) throws {
    let document = "Sources/\(article).md"
    #expect(try ArticleBlocks.count(in: document) > 0)
    #expect(try ArticleBlocks.notCompiled(of: document, in: tests) == [])
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
