import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// A command for each policy.
private protocol Plain: Numbered {
  init(_ number: Int)
}

private struct Newest: Plain {
  typealias Output = Int
  static let overlap = OverlapPolicy.newest
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct First: Plain {
  typealias Output = Int
  static let overlap = OverlapPolicy.first
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct Serial: Plain {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct Limited: Command {
  typealias Output = Int
  static let timeLimit: Duration? = .seconds(10)
}

@Suite("Commands that overlap, and time limits", .endsInTime)
struct OverlapTests {
  @Test("CMD-10: newest: a newcomer cancels the one that runs, and both tell their reactions")
  func newest() async throws {
    let (gates, journal) = ([Latch(), Latch()], Log<Int>())
    let engine = try gatedEngine(Newest.self, gates, journal)
    let seen = Log<String>()
    let token = engine.events(of: Newest.self).subscribe { seen.note($0.text) }
    let first = engine.execute(Newest(0))
    #expect(await eventually { journal.count == 1 })
    let second = engine.execute(Newest(1))
    #expect(first.outcome?.failure is CancellationError)
    gates[1].open()
    #expect(try await second.value == 1)
    gates[0].open()
    #expect(seen.entries == ["error CancellationError()", "data 1"])
    withExtendedLifetime(token) {}
  }

  @Test("CMD-10: first: newcomers are stopped while one runs")
  func first() async throws {
    let (gates, journal) = ([Latch(), Latch(), Latch()], Log<Int>())
    let engine = try gatedEngine(First.self, gates, journal)
    let first = engine.execute(First(0))
    let second = engine.execute(First(1))
    #expect(second.outcome?.isStopped == true)
    #expect(second.publication == nil)
    gates[0].open()
    #expect(try await first.value == 0)
    gates[2].open()
    #expect(try await engine.execute(First(2)).value == 2)
    #expect(journal.entries == [0, 2])
  }

  @Test("CMD-10: serial: one after the other; one that is cancelled while it waits is never started")
  func serial() async throws {
    let (gates, journal) = ((0..<3).map { _ in Latch() }, Log<Int>())
    let engine = try gatedEngine(Serial.self, gates, journal)
    let executions = (0..<3).map { engine.execute(Serial($0)) }
    #expect(executions[1].cancel())
    #expect(executions[1].outcome?.failure is CancellationError)
    gates[0].open()
    #expect(try await executions[0].value == 0)
    gates[2].open()
    #expect(try await executions[2].value == 2)
    #expect(journal.entries == [0, 2])
  }

  @Test("CMD-10: a hundred thousand commands that wait for their turn use constant stack")
  func constantStack() async throws {
    let engine = Engine()
    let gate = Latch()
    try engine.use(Serial.self, synchronously: { command, _ in command.number })
    engine.add(
      Around { command, next in
        guard (command as? Serial)?.number == 0 else { return next(command) }
        return .waiting {
          await gate.wait()
          return await next(command).outcome
        }
      }
    )
    let sum = Counter()
    let token = engine.react(to: Serial.self, consume: { sum.increment(by: $0) })
    let count = rounds(100_000)
    let executions = (0...count).map { engine.execute(Serial($0)) }
    gate.open()
    #expect(try await executions[count].value == count)
    #expect(sum.value == count * (count + 1) / 2)
    withExtendedLifetime(token) {}
  }

  @Test("CMD-10: random programs give what searched lists give")
  func random() async throws {
    for seed in 0..<UInt64(rounds(2_000)) {
      try await program(Newest.self, seed)
      try await program(First.self, seed)
      try await program(Serial.self, seed)
    }
  }

  /// Executes, ends and cancels at random, and compares what ran to which end with a plain list.
  private func program<C: Plain>(_: C.Type, _ seed: UInt64) async throws {
    var numbers = SplitMix(seed: seed)
    let gates = (0..<12).map { _ in Latch() }
    let journal = Log<Int>()
    let engine = try gatedEngine(C.self, gates, journal)
    var executions: [Execution<Int>] = []
    var (running, waiting, expected) = ([Int](), [Int](), [String](repeating: "running", count: 12))
    func startNext() {
      if running.isEmpty, !waiting.isEmpty { running.append(waiting.removeFirst()) }
    }
    while executions.count < 12 {
      let number = executions.count
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0, 1:
        executions.append(engine.execute(C(number)))
        if C.overlap == .newest, let replaced = running.popLast() { expected[replaced] = "cancelled" }
        if C.overlap == .first, !running.isEmpty {
          expected[number] = "stopped"
        } else if C.overlap == .serial, !running.isEmpty {
          waiting.append(number)
        } else {
          running.append(number)
        }
      case 2:
        guard let ending = running.popLast() else { break }
        gates[ending].open()
        _ = await executions[ending].wait()
        expected[ending] = "handled"
        startNext()
      default:
        guard let victim = (running + waiting).randomElement(using: &numbers) else { break }
        executions[victim].cancel()
        expected[victim] = "cancelled"
        running.removeAll { $0 == victim }
        waiting.removeAll { $0 == victim }
        startNext()
      }
    }
    for gate in gates { gate.open() }
    for (number, execution) in executions.enumerated() {
      let text =
        switch await execution.wait() {
        case .handled(let output): output == number ? "handled" : "wrong result"
        case .stopped: "stopped"
        case .failed(let error): error is CancellationError ? "cancelled" : "\(error)"
        }
      #expect(text == (expected[number] == "running" ? "handled" : expected[number]), "seed \(seed), \(number)")
    }
  }

  @Test("CMD-11: a command that takes too long fails, its task is cancelled, and its reactions get one error")
  func timeLimit() async throws {
    let time = VirtualScheduler()
    let engine = Engine(scheduler: time)
    let handler = ScriptedHandler(Limited.self, on: time, .never, .answering(1).after(.seconds(9)))
    try engine.use(handler)
    let (seen, errors) = (Log<String>(), Log<EngineError?>())
    engine.errorHandler = { errors.note($0 as? EngineError) }
    let token = engine.events(of: Limited.self).subscribe { seen.note("\($0.kind)") }
    let slow = engine.execute(Limited())
    await handler.waitUntilAsked()
    time.advance(by: .seconds(10))
    #expect(slow.outcome?.failure as? EngineError == .timedOut(Limited.self))
    let quick = engine.execute(Limited())
    await handler.waitUntilAsked(2)
    time.advance(by: .seconds(9))
    #expect(try await quick.value == 1)
    time.advance(by: .seconds(100))
    #expect(seen.entries == ["error", "data"])
    #expect(errors.entries == [.timedOut(Limited.self)])
    withExtendedLifetime(token) {}
  }
}
