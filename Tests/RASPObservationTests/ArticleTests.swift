import TestSupport
import Testing

/// The Swift of the articles stands in the sources of this test target too, so the compiler reads it; what needs
/// SwiftUI or UIKit is compiled where they can be imported.
struct ArticleTests {
  @Test("every Swift block of the articles stands in this target", arguments: ["ViewModels.md", "RASPObservation.md"])
  func blocksAreCompiled(article: String) throws {
    let document = "Sources/RASPObservation/RASPObservation.docc/\(article)"
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPObservationTests") == [])
  }
}
