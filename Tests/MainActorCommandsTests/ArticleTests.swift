import RASPCommands
import RASPTesting
import TestSupport
import Testing

/// The Swift of the articles stands in the sources of this test target too, so the compiler reads it: in a module whose
/// default isolation is the main actor.
struct ArticleTests {
  @Test(
    "every Swift block of the articles is compiled by this target",
    arguments: [
      ("RASPCommands/RASPCommands.docc/RASPCommands.md", 12),
      ("RASPCommands/RASPCommands.docc/MigratingFromAftermath.md", 8),
    ]
  )
  func blocksAreCompiled(article: String, count: Int) throws {
    #expect(try ArticleBlocks.count(in: "Sources/\(article)") >= count)
    #expect(try ArticleBlocks.notCompiled(of: "Sources/\(article)", in: "Tests/MainActorCommandsTests") == [])
  }

  private struct Flaky: Retried {
    typealias Output = Int
  }

  @Test("the middleware that tries again publishes the last attempt only, after the pauses")
  func retries() async throws {
    try await withVirtualTime { time in
      let engine = Engine(scheduler: time)
      let (attempts, seen) = (Counter(), Log<String>())
      try engine.use(Flaky.self) { _, _ in
        if attempts.increment() < 3 { throw NotLoggedIn() }
        return attempts.value
      }
      engine.add(Retry(pauses: [.milliseconds(100), .seconds(1)], scheduler: time))
      let token = engine.react(to: Flaky.self, consume: { seen.note("\($0)") }, rescue: { seen.note("\($0)") })
      let execution = engine.execute(Flaky())
      await time.run(for: .seconds(2))
      #expect(execution.outcome?.output == 3)
      #expect(seen.entries == ["3"])
      withExtendedLifetime(token) {}
    }
  }
}
