import Foundation
import Testing

/// The Swift of the article that needs other packages stands in the sources of this test target, word for word and with
/// its imports, so the compiler reads it.
struct ArticleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let articles = folder.appending(path: "../../../Sources/RASP.docc")

  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let article = Self.articles.appending(path: "BesideOtherFrameworks.md")
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    let sources = try files.filter { $0.pathExtension == "swift" }.map {
      try code(in: String(contentsOf: $0, encoding: .utf8))
    }
    let blocks = try swiftBlocks(in: String(contentsOf: article, encoding: .utf8))
    #expect(!blocks.isEmpty)
    for block in blocks {
      let wanted = code(in: block)
      #expect(sources.contains { $0.contains(wanted) }, "not compiled as it stands in the article:\n\(block)")
    }
  }

  private func swiftBlocks(in text: String) -> [String] {
    text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  /// The lines that are not empty, each between two ends of line.
  private func code(in text: String) -> String {
    "\n" + text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n") + "\n"
  }
}
