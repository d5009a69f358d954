import Aggregate
import RASPCommands
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Virtual time that waits for tasks", .endsInTime)
struct TasksInVirtualTimeTests {
  @Test("LOAD-110: tasks run to their next wait before time moves on, in one order")
  func schedulers() async throws {
    try await withVirtualTime { time in
      let log = Log<String>()
      @Sendable func work(_ name: String, every period: Duration) async throws {
        for _ in 0..<3 {
          let wake = time.now + period
          try await time.sleep(until: wake)
          for _ in 0..<10 { await Task.yield() }
          log.note("\(name) \(time.now.components.seconds)")
        }
      }
      async let first: Void = work("a", every: .seconds(2))
      async let second: Void = work("b", every: .seconds(3))
      await time.run(for: .seconds(6))
      #expect(log.entries == ["a 2", "b 3", "a 4", "b 6", "a 6"])
      await time.run(for: .seconds(100))
      #expect(log.entries.last == "b 9")
      #expect(time.now == .seconds(106))
      _ = try await (first, second)
    }
  }

  @Test("LOAD-110: a time limit does not overtake the work that a task has to do")
  func streams() async throws {
    try await withVirtualTime { time in
      for steps in [1, 10, 1_000] {
        let asked = Counter()
        let answers = Observable<Int, any Error>.task {
          for _ in 0..<steps { await Task.yield() }
          try await time.sleep(until: time.now + .seconds(2))
          for _ in 0..<steps { await Task.yield() }
          if asked.increment() < 3 { throw TestError() }
          return steps
        }
        .timeout(after: .seconds(3), on: time, failure: TestError())
        .retry(5, delay: .constant(.seconds(1)), on: time)
        let recorder = Recorder(answers, on: time)
        let start = time.now
        await time.run(for: .seconds(100))
        #expect(recorder.values == [steps])
        #expect(recorder.records.first.map { $0.instant - start } == .seconds(8), "three answers and two delays")
      }
    }
  }

  @Test("LOAD-111: commands, with actors and the main actor on their way")
  func engines() async throws {
    struct Move: Command {
      typealias Output = Int
      static let overlap = OverlapPolicy.serial
      let number: Int
    }
    actor Lamp {
      var moves = 0
      func move() async -> Int {
        await Task.yield()
        moves += 1
        return moves
      }
    }
    try await withVirtualTime { time in
      let (engine, lamp) = (Engine(scheduler: time), Lamp())
      try engine.use(Move.self) { command, _ in
        try await time.sleep(until: time.now + .seconds(1))
        let moves = await lamp.move()
        await MainActor.run {}
        let more = await lamp.move()
        return command.number * 100 + moves + more
      }
      let executions = (0..<3).map { engine.execute(Move(number: $0)) }
      await time.run(for: .seconds(2))
      #expect(executions.map(\.outcome?.output) == [3, 107, nil])
      await time.run(for: .seconds(1))
      #expect(executions[2].outcome?.output == 211)
      #expect(time.pending.isEmpty)
    }
  }

  @Test("LOAD-112: clusters, their emitters and their effects")
  func clusters() async throws {
    struct Motion: Action { let room: Int }
    try await withVirtualTime { time in
      let (hall, stairs, log) = (Subject<Motion, Never>(), Subject<Motion, Never>(), Log<String>())
      let cluster = try await Bootstrap(diagnostics: { _ in }) {
        On(Motion.self) { motion, _ in
          log.note("on \(motion.room) \(time.now.components.seconds)")
          try await time.sleep(until: time.now + .seconds(10))
          log.note("off \(motion.room) \(time.now.components.seconds)")
        }
        .overlapping(.newest, by: \.room)
        .emit(using: hall.observable)
        .emit(using: stairs.observable)
      }
      hall.send(Motion(room: 1))
      await time.run(for: .seconds(4))
      stairs.send(Motion(room: 1))
      hall.send(Motion(room: 2))
      await time.run(for: .seconds(60))
      #expect(log.entries == ["on 1 0", "on 1 4", "on 2 4", "off 1 14", "off 2 14"])
      await cluster.shutdown()
    }
  }

  @Test("LOAD-113: random tasks end at the instants that a plain list says, in the same order on each run")
  func random() async throws {
    for seed in 0..<UInt64(rounds(500)) {
      var numbers = SplitMix(seed: seed)
      let plans = (0..<8).map { _ in
        (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
          (sleep: Int.random(in: 0...4, using: &numbers), yields: Int.random(in: 0...20, using: &numbers))
        }
      }
      let first = try await ends(of: plans)
      #expect(first.map(\.instant) == first.map(\.instant).sorted())
      for (index, plan) in plans.enumerated() {
        #expect(first.first { $0.task == index }?.instant == plan.reduce(0) { $0 + $1.sleep })
      }
      let again = try await ends(of: plans)
      #expect(first.map(\.task) == again.map(\.task), "seed \(seed)")
    }
  }

  private func ends(of plans: [[(sleep: Int, yields: Int)]]) async throws -> [(task: Int, instant: Int)] {
    try await withVirtualTime { time in
      let log = Log<(task: Int, instant: Int)>()
      let streams = plans.enumerated().map { index, plan in
        Observable<Int, any Error>.task {
          for (sleep, yields) in plan {
            for _ in 0..<yields { await Task.yield() }
            try await time.sleep(until: time.now + .seconds(sleep))
          }
          return index
        }
        .subscribe { log.note(($0, Int(time.now.components.seconds))) }
      }
      for _ in 0..<5 { await time.run(for: .seconds(7)) }
      withExtendedLifetime(streams) {}
      return log.entries
    }
  }

  @Test("LOAD-114: without a scope, time moves as it does by itself, and an error of the scope is thrown")
  func outside() async throws {
    let time = VirtualScheduler()
    let ticks = Recorder(Observable<Int, Never>.interval(.seconds(1), on: time), on: time)
    await time.run(for: .seconds(3))
    #expect(ticks.values == [0, 1, 2])
    #expect(time.now == .seconds(3))
    await #expect(throws: TestError.self) { try await withVirtualTime { _ in throw TestError() } }
  }

  @Test("LOAD-114: on the main actor, what a test calls stays there")
  @MainActor
  func onTheMainActor() async throws {
    try await withVirtualTime { time in
      MainActor.preconditionIsolated()
      let engine = Engine(scheduler: time)
      try engine.use(Wait.self) { _, _ in try await time.sleep(until: .seconds(1)) }
      let waiting = engine.execute(Wait())
      await time.run(for: .seconds(1))
      #expect(waiting.outcome != nil)
    }
  }

  private struct Wait: Command {
    typealias Output = Void
  }
}
