import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// A command whose executions follow each other.
private struct Follow: Numbered {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
  var number: Int
}

@Suite("CMD-16: Who awaits a command goes on when the reactions have its last event", .endsInTime)
struct DeliveredTests {
  /// The commands whose result the reaction has had.
  private final class Reacted: Sendable {
    private let numbers = Lock<Set<Int>>([])

    func note(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
    func has(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }
  }

  enum Handling: CaseIterable, Sendable {
    case synchronous, asynchronous, serial, middleware
  }

  /// An engine whose handler answers with the number of the command, and how a command is called on it.
  private func engine(
    _ handling: Handling,
    _ handled: Counter
  ) throws -> (Engine, @Sendable (Int, Bool) async throws -> Int) {
    let engine = Engine()
    @Sendable func answer(_ number: Int) -> Int {
      handled.increment()
      return number
    }
    switch handling {
    case .synchronous: try engine.use(Ping.self, synchronously: { command, _ in answer(command.number) })
    case .asynchronous, .middleware: try engine.use(Ping.self) { command, _ in answer(command.number) }
    case .serial: try engine.use(Follow.self) { command, _ in answer(command.number) }
    }
    if handling == .middleware { engine.add(Around { command, next in .waiting { await next(command).outcome } }) }
    return (
      engine,
      { number, executes in
        if handling == .serial {
          return try await executes
            ? engine.execute(Follow(number: number)).value : engine.value(of: Follow(number: number))
        }
        return try await executes
          ? engine.execute(Ping(number: number)).value : engine.value(of: Ping(number: number))
      }
    )
  }

  private func react(_ engine: Engine, _ consume: @escaping @Sendable (Int) -> Void) -> [Subscription] {
    [engine.react(to: Ping.self, consume: consume), engine.react(to: Follow.self, consume: consume)]
  }

  @Test("a reaction is slow: nobody goes on before it has had the event", arguments: Handling.allCases, [false, true])
  func slowReaction(handling: Handling, executes: Bool) async throws {
    let handled = Counter()
    let (engine, call) = try engine(handling, handled)
    let (reacted, gate) = (Reacted(), Gate(patience: longestWait))
    let tokens = react(engine) { number in
      if number == 1 { gate.hold() }
      reacted.note(number)
    }
    // The thread that delivers the first event is held in the reaction.
    let thread = Task {
      await Threads.run(count: 1) { _ in
        if handling == .serial {
          engine.publish(CommandEvent<Follow>.data(1))
        } else {
          engine.publish(CommandEvent<Ping>.data(1))
        }
      }
    }
    await onThread { gate.waitUntilHeld() }
    let ends = Log<Bool>()
    let calls = (2..<6).map { number in
      Task {
        let output = try await call(number, executes)
        ends.note(reacted.has(output))
      }
    }
    // All of them have been carried out, and none of them has ended.
    #expect(await eventually { handled.value == 4 })
    for _ in 0..<1_000 { await Task.yield() }
    #expect(ends.entries.isEmpty)
    gate.open()
    for call in calls { try await call.value }
    await thread.value
    #expect(ends.entries == [true, true, true, true])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "four tasks that execute twenty thousand commands find each result with the reaction",
    arguments: Handling.allCases
  )
  func manyTasks(handling: Handling) async throws {
    let (engine, call) = try engine(handling, Counter())
    let (reacted, missing) = (Reacted(), Counter())
    let tokens = react(engine) { reacted.note($0) }
    let each = rounds(5_000)
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          var numbers = SplitMix(seed: UInt64(lane))
          for number in lane * each..<(lane + 1) * each {
            _ = try? await call(number, Bool.random(using: &numbers))
            if !reacted.has(number) { missing.increment() }
          }
        }
      }
    }
    #expect(missing.value == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test("the outcome of a command that a reaction executes in its own lane is there at once, and its event afterwards")
  func insideReaction() async throws {
    let engine = try Engine.answering()
    let (order, awaited) = (Log<String>(), Box<Task<Int, any Error>>())
    let token = engine.react(
      to: Ping.self,
      consume: { number in
        order.note("event \(number)")
        guard number == 1 else { return }
        let execution = engine.execute(Ping(number: 2))
        order.note("outcome \(execution.outcome?.output ?? 0)")
        awaited.value = Task {
          let output = try await execution.value
          order.note("value \(output)")
          return output
        }
        order.note("end")
      }
    )
    engine.execute(Ping(number: 1))
    #expect(try await awaited.value?.value == 2)
    #expect(order.entries.filter { $0 != "value 2" } == ["event 1", "outcome 2", "end", "event 2"])
    #expect(order.entries.last == "value 2")
    withExtendedLifetime(token) {}
  }

  @Test("a reaction may start a task that awaits a command of its lane, and a handler may await one in a delivery")
  func noWaitForItself() async throws {
    let engine = Engine()
    let (seen, done) = (Log<Int>(), Latch())
    try engine.use(Ping.self) { command, publish in
      // The reaction to this runs inside of the handler.
      publish(data: command.number * 10)
      return command.number == 0 ? 0 : try await publish.engine.value(of: Ping(number: command.number - 1)) + 1
    }
    let token = engine.react(
      to: Ping.self,
      consume: { number in
        seen.note(number)
        guard number == 30 else { return }
        Task {
          _ = try await engine.value(of: Ping(number: 0))
          done.open()
        }
      }
    )
    #expect(try await engine.value(of: Ping(number: 3)) == 3)
    await done.wait()
    #expect(seen.count == 10)
    withExtendedLifetime(token) {}
  }

  @Test("a cancelled execution, one that is too late, and an invalidated engine let those go on who wait")
  func otherEnds() async throws {
    let (time, gate) = (VirtualScheduler(), Latch())
    struct Limited: Command {
      typealias Output = Int
      static let timeLimit: Duration? = .seconds(1)
    }
    let engine = Engine(scheduler: time)
    try engine.use(Limited.self) { _, _ in
      await gate.wait()
      return 1
    }
    let seen = Log<String>()
    let token = engine.events(of: Limited.self).subscribe { seen.note($0.text) }
    let late = engine.execute(Limited())
    let waiting = Task { await late.wait() }
    time.advance(by: .seconds(1))
    #expect(await waiting.value.failure as? EngineError == .timedOut(Limited.self))
    #expect(seen.count == 1)
    gate.open()
    engine.invalidate()
    #expect(await engine.execute(Limited()).wait().failure as? EngineError == .noHandler(Limited.self))
    withExtendedLifetime(token) {}
  }
}
