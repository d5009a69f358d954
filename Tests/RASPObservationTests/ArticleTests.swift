import TestSupport
import Testing

struct ArticleTests {
  @Test("what the tests run is what the article shows, but for what needs SwiftUI or UIKit")
  func blocksAreRun() throws {
    let blocks = try ArticleBlocks.notCompiled(
      of: "Sources/RASPObservation/RASPObservation.docc/ViewModels.md",
      in: "Tests/RASPObservationTests"
    )
    #expect(blocks.count == 4)
    #expect(blocks.allSatisfy { $0.contains("import SwiftUI") || $0.contains("import UIKit") })
  }
}
