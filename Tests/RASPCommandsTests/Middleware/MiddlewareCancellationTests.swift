import RASPCommands
import Streams
import TestSupport
import Testing

@Suite("Middleware that waits, cancelled", .endsInTime)
struct MiddlewareCancellationTests {
  @Test(
    "MW-08: cancelling the task that sent a command cancels middleware that waits; what it would produce is dropped"
  )
  func cancels() async throws {
    let engine = try Engine.answering()
    let (entered, left, journal) = (Latch(), Latch(), Log<String>())
    engine.add(
      Around { command, next in
        .waiting {
          let cancelled = Latch()
          await withTaskCancellationHandler {
            entered.open()
            await cancelled.wait()
          } onCancel: {
            cancelled.open()
          }
          let outcome = await next(command).outcome
          journal.note(outcome.failure is CancellationError ? "not passed on" : "passed on")
          left.open()
          return outcome
        }
      }
    )
    let token = engine.events(of: Echo.self).subscribe { journal.note($0.text) }
    let sender = Task { try await engine.execute(Echo()).value }
    await entered.wait()
    sender.cancel()
    await #expect(throws: CancellationError.self) { try await sender.value }
    await left.wait()
    #expect(journal.entries.contains("error CancellationError()"))
    #expect(journal.entries.contains("not passed on"))
    #expect(!journal.entries.contains("data echo"))
    withExtendedLifetime(token) {}
  }

  @Test("a command that is retried for ever reaches its handler no more when it is cancelled")
  func endlessRetry() async throws {
    let engine = Engine()
    let (tried, over) = (Latch(), Latch())
    try engine.use(Echo.self) { _, _ in
      tried.open()
      await Task.yield()
      throw Broken()
    }
    engine.add(
      Around { command, next in
        .waiting {
          while true {
            let outcome = await next(command).outcome
            if outcome.failure is CancellationError {
              over.open()
              return outcome
            }
          }
        }
      }
    )
    let execution = engine.execute(Echo())
    await tried.wait()
    execution.cancel()
    await over.wait()
    #expect(execution.outcome?.failure is CancellationError)
  }
}
