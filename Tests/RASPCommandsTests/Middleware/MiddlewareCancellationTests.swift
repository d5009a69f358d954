import RASPCommands
import Streams
import TestSupport
import Testing

@Suite("Middleware that waits, cancelled", .timeLimit(.minutes(10)))
struct MiddlewareCancellationTests {
  @Test(
    "MW-08: cancelling the task that sent a command cancels middleware that waits; what it would produce is dropped"
  )
  func cancels() async throws {
    let engine = try Engine.answering()
    let (entered, left, journal) = (Latch(), Latch(), Log<String>())
    engine.pipeCommands(through: [
      Around { command, _, next in
        let cancelled = Latch()
        await withTaskCancellationHandler {
          entered.fire()
          await cancelled.wait()
        } onCancel: {
          cancelled.fire()
        }
        let interception = try await next(command)
        journal.note("\(interception)")
        left.fire()
        return interception
      }
    ])
    let token = engine.events(of: Echo.self).subscribe { journal.note($0.text) }
    let sender = Task { try await engine.execute(Echo()).value }
    await entered.wait()
    sender.cancel()
    await #expect(throws: CancellationError.self) { try await sender.value }
    await left.wait()
    #expect(journal.entries.contains("error CancellationError()"))
    #expect(journal.entries.contains("passed"))
    #expect(!journal.entries.contains("data echo"))
    withExtendedLifetime(token) {}
  }

  @Test("a middleware that retries for ever stops retrying when it is cancelled")
  func endlessRetry() async throws {
    let engine = Engine()
    let (tried, reviewed) = (Latch(), Latch())
    try engine.use(Echo.self) { _, _ in
      tried.fire()
      await Task.yield()
      throw Broken()
    }
    engine.pipeCommands(through: [
      Around { command, engine, next in
        defer { reviewed.fire() }
        return try await BeforeAndAfter(after: { command, _, _ in .retry(command) })
          .intercept(command, in: engine, next: next)
      }
    ])
    let execution = engine.execute(Echo())
    await tried.wait()
    execution.cancel()
    await reviewed.wait()
  }
}
