import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Cancelling executions", .endsInTime)
struct CancellationTests {
  /// An engine whose `Echo` waits until it is cancelled, and then goes on as if nothing had happened.
  private func stubborn(_ journal: Log<String>, started: Latch, ended: Latch) throws -> Engine {
    let engine = Engine()
    try engine.use(Echo.self) { command, publish in
      publish(.progress)
      let cancelled = Latch()
      await withTaskCancellationHandler {
        started.open()
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      journal.note(Task.isCancelled ? "task cancelled" : "task not cancelled")
      journal.note(publish(data: "too late").isStopped ? "refused" : "accepted")
      ended.open()
      return command.text
    }
    return engine
  }

  @Test("cancelling reaches the handler's task, what it still does is dropped, and the reactions hear of the end")
  func cancel() async throws {
    let (inside, seen, started, ended) = (Log<String>(), Log<String>(), Latch(), Latch())
    let engine = try stubborn(inside, started: started, ended: ended)
    let errors = Log<any Error>()
    engine.errorHandler = errors.note
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    let execution = engine.execute(Echo())
    await started.wait()
    #expect(execution.cancel())
    // Everything there is to hear has been heard when `cancel` returns.
    #expect(seen.entries == ["progress", "error CancellationError()"])
    #expect(execution.outcome?.failure is CancellationError)
    #expect(!execution.cancel())
    await ended.wait()
    await #expect(throws: CancellationError.self) { try await execution.value }
    #expect(inside.entries == ["task cancelled", "refused"])
    #expect(seen.entries.count == 2)
    #expect(errors.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("cancelling the task that awaits the value cancels the execution")
  func cancelWaitingTask() async throws {
    let (inside, started, ended) = (Log<String>(), Latch(), Latch())
    let engine = try stubborn(inside, started: started, ended: ended)
    let sender = Task { try await engine.execute(Echo()).value }
    await started.wait()
    sender.cancel()
    await #expect(throws: CancellationError.self) { try await sender.value }
    await ended.wait()
    #expect(inside.entries == ["task cancelled", "refused"])
  }

  @Test("a task that was cancelled before it awaits is not left waiting")
  func cancelledBefore() async throws {
    let (inside, started, ended) = (Log<String>(), Latch(), Latch())
    let engine = try stubborn(inside, started: started, ended: ended)
    let execution = engine.execute(Echo())
    let sender = Task {
      #expect(await eventually { Task.isCancelled })
      return await execution.wait()
    }
    sender.cancel()
    #expect(await sender.value.failure is CancellationError)
    await ended.wait()
    started.open()
  }

  @Test("a cancelled execution wakes all tasks that await it")
  func wakesEverybody() async throws {
    let (inside, started, ended) = (Log<String>(), Latch(), Latch())
    let engine = try stubborn(inside, started: started, ended: ended)
    let execution = engine.execute(Echo())
    let waiting = (0..<10).map { _ in Task { await execution.wait().failure is CancellationError } }
    await started.wait()
    execution.cancel()
    for task in waiting { #expect(await task.value) }
    await ended.wait()
  }

  @Test("cancelling what is over does nothing")
  func cancelAfterEnd() throws {
    let engine = try Engine.answering()
    let execution = engine.execute(Echo())
    #expect(!execution.cancel())
    #expect(execution.outcome?.output == "echo")
  }

  @Test("once cancel has returned, events of the execution that wait in line are dropped")
  func dropsWhatWaits() async throws {
    let engine = Engine()
    let go = Latch()
    let execution = Lock<Execution<Int>?>(nil)
    try engine.use(Ping.self) { _, publish in
      await go.wait()
      // The delivery of this publishes one more, which has to wait, and then cancels.
      let token = publish.engine.react(
        to: Ping.self,
        consume: { number in
          guard number == 1 else { return }
          publish(data: 2)
          execution.withLock { $0 }?.cancel()
        }
      )
      publish(data: 1)
      token.cancel()
      return 3
    }
    let seen = Log<String>()
    let token = engine.events(of: Ping.self).subscribe { seen.note($0.text) }
    let started = engine.execute(Ping())
    execution.withLock { $0 = started }
    go.open()
    _ = await started.wait()
    #expect(seen.entries == ["data 1", "error CancellationError()"])
    withExtendedLifetime(token) {}
  }

  @Test("cancel and the end of the handler race: exactly one last event, and the outcome says which")
  func race() async throws {
    for round in 0..<rounds(30_000) {
      let engine = Engine()
      try engine.use(Ping.self) { command, _ in command.number }
      let seen = Log<String>()
      let token = engine.events(of: Ping.self).subscribe { seen.note($0.text) }
      let execution = engine.execute(Ping(number: round))
      let cancelled = execution.cancel()
      let outcome = await execution.wait()
      #expect(cancelled == (outcome.failure is CancellationError))
      #expect(seen.entries == [cancelled ? "error CancellationError()" : "data \(round)"])
      withExtendedLifetime(token) {}
    }
  }
}
