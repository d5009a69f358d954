import RASPCommands
import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("Calling commands", .endsInTime)
struct ValueTests {
  private static func currentTask() -> Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  @Test("a handler that waits runs in the task of the caller, and its events come before the result")
  func callersTask() async throws {
    let engine = Engine()
    let (tasks, seen) = (Log<Int>(), Log<String>())
    try engine.use(Echo.self) { command, publish in
      publish(.progress)
      await Task.yield()
      tasks.note(Self.currentTask())
      return command.text
    }
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    #expect(try await engine.value(of: Echo(text: "here")) == "here")
    #expect(seen.entries == ["progress", "data here"])
    #expect(tasks.entries == [Self.currentTask()])
    withExtendedLifetime(token) {}
  }

  @MainActor
  @Test("a handler does not run on the actor of the caller")
  func offTheActor() async throws {
    let engine = Engine()
    let mainThread = CurrentThread.id
    try engine.use(Ping.self) { _, _ in
      await Task.yield()
      return CurrentThread.id == mainThread ? 1 : 0
    }
    #expect(try await engine.value(of: Ping()) == 0)
  }

  @Test("a handler that never waits, a missing one, and one that throws end as with execute")
  func otherEnds() async throws {
    let engine = Engine()
    let errors = Log<any Error>()
    engine.errorHandler = errors.note
    try engine.use(AddHandler())
    #expect(try await engine.value(of: Add(left: 1, right: 2)) == 3)
    await #expect(throws: EngineError.noHandler(Echo.self)) { try await engine.value(of: Echo()) }
    try engine.use(Ping.self) { _, _ in
      await Task.yield()
      throw Broken()
    }
    let seen = Log<String>()
    let token = engine.events(of: Ping.self).subscribe { seen.note($0.text) }
    await #expect(throws: Broken.self) { try await engine.value(of: Ping()) }
    #expect(seen.entries.count == 1)
    #expect(errors.entries.contains { $0 is Broken })
    withExtendedLifetime(token) {}
  }

  @Test("middleware stands before the handler, and the result is that of the outermost")
  func middleware() async throws {
    let engine = Engine()
    try engine.use(Echo.self) { command, _ in
      await Task.yield()
      return command.text
    }
    let registration = engine.add(ClosureMiddleware<any Command>.abort())
    await #expect(throws: EngineError.stopped(Echo.self)) { try await engine.value(of: Echo()) }
    registration.cancel()
    let events = Log<String>()
    engine.add(ClosureMiddleware<any AnyCommandEvent>.log(to: events.note))
    let token = engine.react(to: Echo.self)
    #expect(try await engine.value(of: Echo()) == "echo")
    #expect(events.entries == ["publish data of Echo: echo"])
    withExtendedLifetime(token) {}
  }

  @Test("cancelling the task drops what the handler still does, and the reactions get one CancellationError")
  func cancelled() async throws {
    let engine = Engine()
    let (seen, inside, errors) = (Log<String>(), Log<String>(), Log<any Error>())
    engine.errorHandler = errors.note
    let (started, cancelled) = (Latch(), Latch())
    try engine.use(Echo.self) { command, publish in
      publish(.progress)
      await withTaskCancellationHandler {
        started.open()
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      inside.note(Task.isCancelled ? "task cancelled" : "task not cancelled")
      inside.note(publish.isActive ? "active" : "not active")
      inside.note(publish(data: "too late").isStopped ? "refused" : "accepted")
      return command.text
    }
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    let caller = Task { try await engine.value(of: Echo()) }
    await started.wait()
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(inside.entries == ["task cancelled", "not active", "refused"])
    #expect(seen.entries == ["progress", "error CancellationError()"])
    #expect(errors.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("in a task that is cancelled already, the handler is not called")
  func cancelledBefore() async throws {
    let engine = Engine()
    let calls = Log<Int>()
    try engine.use(Ping.self) { command, _ in
      calls.note(command.number)
      await Task.yield()
      return 1
    }
    let seen = Log<String>()
    let token = engine.events(of: Ping.self).subscribe { seen.note($0.text) }
    let caller = Task {
      #expect(await eventually { Task.isCancelled })
      return try await engine.value(of: Ping())
    }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(calls.entries.isEmpty)
    #expect(seen.entries == ["error CancellationError()"])
    withExtendedLifetime(token) {}
  }

  @Test("what publishes after the handler has returned is too late")
  func tooLate() async throws {
    let engine = Engine()
    let errors = Log<EngineError?>()
    engine.errorHandler = { errors.note($0 as? EngineError) }
    let publisher = Lock<Publisher<Ping>?>(nil)
    try engine.use(Ping.self) { _, publish in
      publisher.withLock { $0 = publish }
      await Task.yield()
      return 1
    }
    let token = engine.react(to: Ping.self)
    _ = try await engine.value(of: Ping())
    publisher.withLock { $0 }?(data: 2)
    #expect(errors.entries == [.publishedTooLate(Ping.self)])
    withExtendedLifetime(token) {}
  }

  @Test("cancelling and the end of the handler race: exactly one last event, and the result says which")
  func race() async throws {
    for round in 0..<rounds(10_000) {
      let engine = Engine()
      try engine.use(Ping.self) { command, _ in
        await Task.yield()
        return command.number
      }
      let seen = Log<String>()
      let token = engine.events(of: Ping.self).subscribe { seen.note($0.text) }
      let caller = Task { try await engine.value(of: Ping(number: round)) }
      await Task.yield()
      caller.cancel()
      let wasCancelled: Bool
      do {
        _ = try await caller.value
        wasCancelled = false
      } catch {
        wasCancelled = true
      }
      #expect(seen.entries == [wasCancelled ? "error CancellationError()" : "data \(round)"])
      withExtendedLifetime(token) {}
    }
  }
}
