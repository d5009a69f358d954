import Aggregate
import Streams
import TestSupport
import Testing

/// The Swift of the README and of an article stands in the sources of this test target too, so the compiler reads it;
/// here it is checked that it is the same.
struct ReadmeTests {
  @Test(
    "every Swift block is compiled by this target",
    arguments: ["README.md", "Sources/Aggregate/Aggregate.docc/MigratingFromRaspSwift.md"]
  )
  func blocksAreCompiled(text: String) throws {
    let lines = try SourceFiles.lines(of: text)
    let sources = try SourceFiles.swiftFiles(below: "Tests/ReadmeTests").map { try code(in: SourceFiles.lines(of: $0)) }
    let blocks = swiftBlocks(in: lines)
    #expect(!blocks.isEmpty)
    for block in blocks {
      let wanted = code(in: block).filter { !$0.hasPrefix("import ") }
      #expect(
        sources.contains { contains($0, wanted) },
        "not compiled as it stands in \(text):\n\(block.joined(separator: "\n"))"
      )
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

  /// Without indentation and empty lines, so that a block may stand inside a function.
  private func code(in lines: [String]) -> [String] {
    lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// Whether `part` stands in `whole`, in one piece.
  private func contains(_ whole: [String], _ part: [String]) -> Bool {
    guard whole.count >= part.count else { return false }
    return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
  }
}
