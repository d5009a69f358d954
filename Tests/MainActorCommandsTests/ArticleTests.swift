import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// What the middleware of the article about commands tries again.
protocol Retried: Command {}

struct Retry: Middleware {
  let pauses: [Duration]
  let scheduler: any Scheduler

  func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    guard command is any Retried else { return next(command) }
    return .waiting {
      for pause in pauses {
        let outcome = await next(command).outcome
        guard case .failed = outcome else { return outcome }
        try await scheduler.sleep(until: scheduler.now + pause)
      }
      return await next(command).outcome
    }
  }
}

/// What the articles show, in a module whose default isolation is the main actor.
struct ArticleTests {
  @Test("what the tests run is what the articles show")
  func blocksAreRun() throws {
    let (folder, tests) = ("Sources/RASPCommands/RASPCommands.docc", "Tests/MainActorCommandsTests")
    #expect(try ArticleBlocks.notCompiled(of: "\(folder)/MigratingFromAftermath.md", in: tests) == [])
    let others = try ArticleBlocks.notCompiled(of: "\(folder)/RASPCommands.md", in: tests)
    #expect(!others.contains { $0.contains("struct Retry") })
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
