import Aggregate
import RASPCommands
import RASPInsight
import RASPSupport
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Say: Command {
  typealias Output = String
  let word: String
}

private struct Think: Command {
  typealias Output = String
  let word: String
}

/// Executions of this type follow each other.
private struct Queue: Command {
  typealias Output = String
  static var overlap: OverlapPolicy { .serial }
  let word: String
}

private struct Heard: Fact {
  let word: String
}

extension OccurrenceTape {
  fileprivate func identity(of occurrence: Occurrence) -> Cause { Cause(lane: lane, number: occurrence.number) }

  fileprivate func execution(_ word: String) -> Cause? {
    occurrences.first {
      ($0.subject as? Say)?.word == word || ($0.subject as? Think)?.word == word || ($0.subject as? Queue)?.word == word
    }.map(identity)
  }

  fileprivate func event(_ word: String) -> Occurrence? {
    occurrences.first { occurrence in
      guard let event = occurrence.subject as? any AnyCommandEvent, let data = event.data else { return false }
      return data as? String == word || (data as? Heard)?.word == word
    }
  }
}

extension Engine {
  fileprivate func recorded() -> OccurrenceTape { record(as: "engine", last: 100, clock: TapeClock(.suspending)) }

  /// Handles ``Say``, and tells a target of it.
  ///
  /// - Parameter waits: whether the handler suspends before it does that.
  fileprivate func handleSay(telling target: Traced, waits: Bool = false) throws {
    if waits {
      try use(Say.self) { command, _ in
        await Task.yield()
        target.send("handled \(command.word)")
        return command.word
      }
    } else {
      try use(
        Say.self,
        synchronously: { command, _ in
          target.send("handled \(command.word)")
          return command.word
        }
      )
    }
  }
}

@Suite struct CommandCauseTests {
  @Test func anExecutionItsEventAndItsReactionFormAChain() throws {
    let (engine, source, target) = (Engine(), Traced(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    try engine.handleSay(telling: target)
    let tokens = [
      engine.react(to: Say.self, consume: { target.send("reaction to \($0)") }),
      source.aggregator.events.subscribe { engine.execute(Say(word: $0)) },
    ]
    source.send("word")
    #expect(tape.occurrences.map(\.number) == [1, 2])
    #expect(tape.occurrences.map(\.kind) == [.execution, .event])
    #expect(tape.occurrences.first?.cause == source.identity("word"))
    #expect(tape.occurrences.last?.cause == tape.execution("word"))
    #expect(target.causes["handled word"] == tape.execution("word"))
    #expect(target.causes["reaction to word"] == tape.event("word").map { tape.identity(of: $0) })
    guard case .handled? = tape.occurrences.first?.end?.outcome else {
      Issue.record("The execution has no end.")
      return
    }
    #expect(tape.occurrences.last?.end == nil)
    for token in tokens { token.cancel() }
  }

  @Test(arguments: [true, false])
  func aHandlerThatWaitsHasItsExecutionAsCause(isAwaited: Bool) async throws {
    let (engine, target) = (Engine(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    try engine.use(Think.self) { command, publish in
      await Task.yield()
      target.send("handled \(command.word)")
      // On a thread that knows nothing of it.
      await onThread { publish(data: "early") }
      return command.word
    }
    let token = engine.react(to: Think.self, consume: { target.send("reaction to \($0)") })
    await elsewhere.perform {
      if isAwaited {
        _ = try? await engine.value(of: Think(word: "word"))
      } else {
        _ = await engine.execute(Think(word: "word")).wait()
      }
    }
    let execution = tape.execution("word")
    #expect(tape.occurrences.first?.cause == elsewhere)
    #expect(target.causes["handled word"] == execution)
    for word in ["early", "word"] {
      #expect(tape.event(word)?.cause == execution)
      #expect(target.causes["reaction to \(word)"] == tape.event(word).map { tape.identity(of: $0) })
    }
    token.cancel()
  }

  @Test(arguments: [true, false])
  func anEngineThatIsNotRecordedPassesTheCauseOn(waits: Bool) async throws {
    let (engine, source, target) = (Engine(), Traced(), Traced())
    try engine.handleSay(telling: target, waits: waits)
    let tokens = [
      engine.react(to: Say.self, consume: { target.send("reaction to \($0)") }),
      source.aggregator.events.subscribe { engine.execute(Say(word: $0)) },
    ]
    source.send("one")
    engine.execute(Say(word: "two"))
    #expect(await eventually { target.causes.count == 4 })
    #expect(target.causes["handled one"] == source.identity("one"))
    #expect(target.causes["reaction to one"] == source.identity("one"))
    #expect(target.causes["handled two"] == .unknown)
    #expect(target.causes["reaction to two"] == .unknown)
    for token in tokens { token.cancel() }
  }

  @Test(arguments: [true, false])
  func anExecutionThatHasWaitedForAnotherHasItsOwnCause(isRecorded: Bool) async throws {
    let (engine, source, target) = (Engine(), Traced(), Traced())
    let tape = isRecorded ? engine.recorded() : nil
    defer { if let tape { engine.endRecording(onto: tape) } }
    let gate = Latch()
    try engine.use(Queue.self) { command, _ in
      await gate.wait()
      target.send("handled \(command.word)")
      return command.word
    }
    let token = source.aggregator.events.subscribe { engine.execute(Queue(word: $0)) }
    source.send("one")
    source.send("two")
    engine.execute(Queue(word: "three"))
    await inTask(of: elsewhere) { gate.open() }
    #expect(await eventually { target.causes.count == 3 })
    for word in ["one", "two", "three"] {
      let cause = tape.map { $0.execution(word) } ?? source.identity(word) ?? .unknown
      #expect(target.causes["handled \(word)"] == cause)
    }
    token.cancel()
  }

  @Test(arguments: Form.allCases)
  func middlewareAndWhatItExecutesAreCausedByTheExecution(_ form: Form) async throws {
    let (engine, target) = (Engine(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    try engine.use(Say.self, synchronously: { command, _ in command.word })
    try engine.use(
      Think.self,
      synchronously: { command, _ in
        target.send("handled \(command.word)")
        return command.word
      }
    )
    engine.add(Escort(form: form))
    _ = await engine.execute(Think(word: "outer")).wait()
    #expect(target.causes["handled outer"] == tape.execution("outer"))
    let escort = tape.occurrences.first { ($0.subject as? Say)?.word == "escort" }
    #expect(escort?.cause == tape.execution("outer"))
  }

  @Test(arguments: [true, false])
  func aHandlerIsCausedByItsExecutionWhereverItsMiddlewarePassesTheCommandOn(isSynchronous: Bool) async throws {
    let (engine, target) = (Engine(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    if isSynchronous {
      try engine.use(
        Think.self,
        synchronously: { command, _ in
          target.send("handled \(command.word)")
          return command.word
        }
      )
    } else {
      try engine.use(Think.self) { command, _ in
        await Task.yield()
        target.send("handled \(command.word)")
        return command.word
      }
    }
    engine.add(Detour())
    _ = await engine.execute(Think(word: "outer")).wait()
    #expect(target.causes["handled outer"] == tape.execution("outer"))
  }

  /// Passes a command on in a callback and in a task that have another cause.
  private struct Detour: Middleware {
    func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
      .waiting {
        let result = Box<MiddlewareResult<any Command>>()
        elsewhere.perform { result.value = next(command) }
        return await elsewhere.perform { await result.value?.outcome ?? .failed(CancellationError()) }
      }
    }
  }

  @Test(arguments: [true, false], [true, false])
  func aCommandThatIsPassedOnLateIsCausedByWhatExecutedIt(isRecorded: Bool, isReplaced: Bool) throws {
    let (engine, passing, target) = (Engine(), Traced(), Traced())
    let tape = isRecorded ? engine.recorded() : nil
    defer { if let tape { engine.endRecording(onto: tape) } }
    try engine.handleSay(telling: target)
    try engine.use(
      Think.self,
      synchronously: { command, _ in
        target.send("handled \(command.word)")
        return command.word
      }
    )
    let late = Late(isReplacing: isReplaced)
    engine.add(late)
    engine.execute(Think(word: "kept"))
    let token = passing.aggregator.events.subscribe { _ in late.kept.value?() }
    passing.send("pass")
    late.kept.value = nil
    if isReplaced {
      let replacing = tape?.occurrences.first { $0.subject is Say }
      #expect(replacing?.cause == tape?.execution("kept"))
      #expect(target.causes["handled replaced"] == (tape?.execution("replaced") ?? .unknown))
    } else {
      #expect(target.causes["handled kept"] == (tape?.execution("kept") ?? .unknown))
    }
    token.cancel()
  }

  /// Keeps a command, to be passed on later.
  private struct Late: Middleware {
    let isReplacing: Bool
    let kept = Box<@Sendable () -> Void>()

    func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
      guard command is Think else { return next(command) }
      kept.value = { _ = next(isReplacing ? Say(word: "replaced") : command) }
      return .waiting {
        try await Task.sleep(for: .seconds(1_000))
        return .stopped
      }
    }
  }

  @Test func anEventThatIsReplacedLateIsCausedByTheExecution() async throws {
    /// Replaces an event of one command by one of another, in a delivery of something else.
    struct Replacing: Middleware {
      func intercept(
        _ event: any AnyCommandEvent,
        next: Next<any AnyCommandEvent>
      ) throws -> MiddlewareResult<any AnyCommandEvent> {
        guard event is CommandEvent<Say> else { return next(event) }
        var result = MiddlewareResult<any AnyCommandEvent>.failed(CancellationError())
        elsewhere.perform { result = next(CommandEvent<Think>.data("replaced")) }
        return result
      }
    }
    let (engine, target) = (Engine(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    try engine.handleSay(telling: target)
    engine.add(Replacing())
    let token = engine.react(to: Think.self, consume: { target.send("reaction to \($0)") })
    engine.execute(Say(word: "word"))
    #expect(tape.event("replaced")?.cause == tape.execution("word"))
    #expect(target.causes["reaction to replaced"] == tape.event("replaced").map { tape.identity(of: $0) })
    token.cancel()
  }

  enum Form: CaseIterable { case synchronous, waiting }

  /// Executes another command before it passes one on.
  private struct Escort: Middleware {
    let form: Form

    func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
      guard command is Think else { return next(command) }
      switch form {
      case .synchronous:
        next.engine.execute(Say(word: "escort"))
        return next(command)
      case .waiting:
        return .waiting {
          await Task.yield()
          next.engine.execute(Say(word: "escort"))
          return await next(command).outcome
        }
      }
    }
  }

  @Test func aFactIsCausedByWhatPostedIt() {
    let (engine, source, target) = (Engine(), Traced(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    let tokens = [
      engine.react(toFact: Heard.self) { target.send("heard \($0.word)") },
      source.aggregator.events.subscribe { engine.post(Heard(word: $0)) },
    ]
    source.send("word")
    #expect(tape.event("word")?.cause == source.identity("word"))
    #expect(target.causes["heard word"] == tape.event("word").map { tape.identity(of: $0) })
    for token in tokens { token.cancel() }
  }

  @Test func anEventThatWaitsForTheLaneTakesItsCauseAlong() async {
    let engine = Engine()
    await expectOwnCauses { left, right, hold in
      [
        engine.react(toFact: Heard.self) { hold($0.word) },
        left.aggregator.events.subscribe { engine.post(Heard(word: $0)) },
        right.aggregator.events.subscribe { engine.post(Heard(word: $0)) },
      ]
    }
  }

  @Test(arguments: [true, false], [true, false])
  func whatTheErrorHandlerSendsIsCausedByTheExecutionThatHasFailed(waits: Bool, isDetoured: Bool) async throws {
    let (engine, source, target) = (Engine(), Traced(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    engine.errorHandler = { _ in target.send("error") }
    if waits {
      try engine.use(Think.self) { _, _ in
        await Task.yield()
        throw TestError(code: 1)
      }
    } else {
      try engine.use(Think.self, synchronously: { _, _ in throw TestError(code: 1) })
    }
    if isDetoured { engine.add(Detour()) }
    let tokens = [
      engine.react(to: Think.self, consume: { _ in }),
      source.aggregator.events.subscribe { engine.execute(Think(word: $0)) },
    ]
    source.send("word")
    #expect(await eventually { target.causes["error"] != nil })
    #expect(target.causes["error"] == tape.execution("word"))
    for token in tokens { token.cancel() }
  }

  @Test func whatTheErrorHandlerSendsIsNotCausedByWhatHasEndedTheExecution() async throws {
    /// Ends with an error when its time is over.
    struct Slow: Command {
      typealias Output = Void
      static var timeLimit: Duration? { .seconds(1) }
    }
    let (time, target) = (VirtualScheduler(), Traced())
    let engine = Engine(scheduler: time)
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    engine.errorHandler = { _ in target.send("error") }
    try engine.use(Slow.self) { _, _ in try await Task.sleep(for: .seconds(1_000)) }
    let token = engine.react(to: Slow.self, consume: { _ in })
    let execution = engine.execute(Slow())
    elsewhere.perform { time.advance(by: .seconds(2)) }
    _ = await execution.wait()
    #expect(target.causes["error"] == Cause(lane: tape.lane, number: 1))
    token.cancel()
  }

  @Test func anEventThatIsRefusedCausesNothing() async throws {
    let (engine, target) = (Engine(), Traced())
    let tape = engine.recorded()
    defer { engine.endRecording(onto: tape) }
    let kept = Box<Publisher<Say>>()
    try engine.use(
      Say.self,
      synchronously: { command, publish in
        kept.value = publish
        return command.word
      }
    )
    let token = engine.react(
      to: Say.self,
      consume: { word in
        target.send("reaction")
        // The execution is over, and another one is being delivered.
        kept.value?(data: "late")
        if word == "one" { engine.execute(Say(word: "two")) }
      }
    )
    engine.errorHandler = { _ in target.send("error") }
    engine.execute(Say(word: "one"))
    #expect(await eventually { target.recorder.recording.entries.count == 4 })
    for entry in target.recorder.recording.entries {
      let cause = tape.occurrences.first { $0.number == entry.cause.number }
      #expect(cause.map(tape.identity) == entry.cause)
      #expect((cause?.subject as? any AnyCommandEvent)?.data as? String != "late")
    }
    token.cancel()
  }

  @Test func aTapeKeepsTheNewestAndEveryExecutionHasItsEnd() async throws {
    let engine = Engine()
    let tape = engine.record(as: "short", last: 3, clock: TapeClock(.suspending))
    try engine.use(
      Say.self,
      synchronously: { command, _ in
        if command.word == "bad" { throw TestError(code: 1) }
        return command.word
      }
    )
    for word in ["a", "b", "bad"] { engine.execute(Say(word: word)) }
    #expect(tape.occurrences.map(\.number) == [4, 5, 6])
    #expect(tape.occurrences.map(\.cause.number) == [3, 0, 5])
    guard case .failed(let error)? = tape.occurrences[1].end?.outcome else {
      Issue.record("The end of the failed execution is missing.")
      return
    }
    #expect(error as? TestError == TestError(code: 1))
    engine.endRecording(onto: tape)
    engine.execute(Say(word: "afterwards"))
    #expect(tape.occurrences.isEmpty)
  }
}
