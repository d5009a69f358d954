import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPCommands

/// A command that goes down to zero, for each policy: its handler executes it again, one step lower.
private protocol Step: Numbered {
  var lane: Int? { get }
  init(_ number: Int, _ lane: Int?)
}

extension Step {
  var overlapKey: (any Hashable & Sendable)? { lane }
}

private struct Newest: Step {
  typealias Output = Int
  static let overlap = OverlapPolicy.newest
  let number: Int
  let lane: Int?
  init(_ number: Int, _ lane: Int?) { (self.number, self.lane) = (number, lane) }
}

private struct First: Step {
  typealias Output = Int
  static let overlap = OverlapPolicy.first
  let number: Int
  let lane: Int?
  init(_ number: Int, _ lane: Int?) { (self.number, self.lane) = (number, lane) }
}

private struct Serial: Step {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
  let number: Int
  let lane: Int?
  init(_ number: Int, _ lane: Int?) { (self.number, self.lane) = (number, lane) }
}

private enum Request {
  @TaskLocal static var name = "none"
}

/// A command that runs side by side, and does what its closure does.
private struct Do: Command {
  typealias Output = Int
  let body: @Sendable (EngineHandle) async throws -> Int
}

@Suite("CMD-15: A command inside of a command of its own kind and key", .endsInTime)
struct InsideTests {
  enum Way: CaseIterable, Sendable {
    case value, executeAndAwait, any, task, otherCommand, otherEngine, middleware
  }

  /// Executes a command in one of the ways in which a handler may.
  private func execute<S: Step>(_ step: S, on engine: EngineHandle, _ way: Way) async throws -> Int {
    switch way {
    case .value, .middleware: return try await engine.value(of: step)
    case .executeAndAwait: return try await engine.execute(step).value
    case .any:
      let command: any Command = step
      return try #require(try await engine.execute(command).value as? Int)
    case .task: return try await Task { try await engine.value(of: step) }.value
    case .otherCommand: return try await engine.value(of: Do { try await $0.value(of: step) })
    case .otherEngine:
      let other = Engine()
      try other.use(Do.self) { command, publish in try await command.body(publish.engine) }
      return try await other.value(of: Do { _ in try await engine.value(of: step) })
    }
  }

  private func walk<S: Step>(_: S.Type, _ lane: Int?, _ way: Way) async throws {
    let engine = Engine()
    try engine.use(Do.self) { command, publish in try await command.body(publish.engine) }
    if way == .middleware {
      engine.add(
        Around { command, next in
          guard let step = command as? S, step.number > 0 else { return next(command) }
          return .waiting {
            _ = try await next.engine.value(of: S(step.number - 1, lane))
            return await next(command).outcome
          }
        }
      )
    }
    try engine.use(S.self) { step, publish in
      if step.number == 0 || way == .middleware { return step.number }
      return try await execute(S(step.number - 1, lane), on: publish.engine, way) + 1
    }
    #expect(try await engine.value(of: S(3, lane)) == 3, "\(S.self), \(way)")
    // The line is free: nothing hangs in it, and nothing is kept.
    #expect(try await engine.value(of: S(1, lane)) == 1, "\(S.self), \(way)")
    #expect(engine.handle.registry.route(of: S.self).overlaps?.keyCount == 0)
  }

  @Test("it is part of the running one, in whatever way it is executed", arguments: Way.allCases, [nil, 7])
  func itself(way: Way, lane: Int?) async throws {
    try await walk(Newest.self, lane, way)
    try await walk(First.self, lane, way)
    try await walk(Serial.self, lane, way)
  }

  @Test("a handler that never waits may execute its own kind, too")
  func synchronous() async throws {
    let engine = Engine()
    try engine.use(
      Newest.self,
      synchronously: { step, publish in
        guard step.number > 0 else { return 0 }
        return try #require(publish.engine.execute(Newest(step.number - 1, nil)).outcome?.output) + 1
      }
    )
    try engine.use(
      First.self,
      synchronously: { step, publish in
        guard step.number > 0 else { return 0 }
        return try #require(publish.engine.execute(First(step.number - 1, nil)).outcome?.output) + 1
      }
    )
    #expect(engine.execute(Newest(5, nil)).outcome?.output == 5)
    #expect(engine.execute(First(5, nil)).outcome?.output == 5)
  }

  @Test("two keys that ask each other do not wait for each other")
  func twoKeys() async throws {
    let engine = Engine()
    try engine.use(Serial.self) { step, publish in
      guard step.number > 0 else { return 0 }
      return try await publish.engine.value(of: Serial(step.number - 1, step.lane == 1 ? 2 : 1)) + 1
    }
    #expect(try await engine.value(of: Serial(6, 1)) == 6)
    #expect(try await engine.value(of: Serial(6, 2)) == 6)
  }

  @Test("ten thousand commands, each inside of the one before, end, and so does the next one")
  func deep() async throws {
    let engine = Engine()
    try engine.use(Serial.self) { step, publish in
      step.number == 0 ? 0 : try await publish.engine.value(of: Serial(step.number - 1, nil)) + 1
    }
    try engine.use(Newest.self) { step, publish in
      step.number == 0 ? 0 : try await publish.engine.value(of: Newest(step.number - 1, nil)) + 1
    }
    let depth = rounds(10_000)
    #expect(try await engine.value(of: Serial(depth, nil)) == depth)
    #expect(try await engine.value(of: Newest(depth, nil)) == depth)
    #expect(try await engine.value(of: Serial(1, nil)) == 1)
  }

  @Test("serial: one that its handler does not wait for waits for its turn, and the line goes on in its order")
  func notAwaited() async throws {
    let engine = Engine()
    let (order, gate) = (Log<Int>(), Latch())
    try engine.use(Serial.self) { step, publish in
      if step.number == 0 {
        await gate.wait()
        publish.engine.execute(Serial(2, nil))
      }
      order.note(step.number)
      return step.number
    }
    let first = engine.execute(Serial(0, nil))
    let second = engine.execute(Serial(1, nil))
    gate.open()
    _ = try await (first.value, second.value)
    #expect(await eventually { order.count == 3 })
    #expect(order.entries == [0, 1, 2])
  }

  @Test("serial: the next one in line starts when a part that its handler has left behind has ended, too")
  func leftBehind() async throws {
    let engine = Engine()
    let (order, gate, isPart) = (Log<Int>(), Latch(), Latch())
    try engine.use(Serial.self) { step, publish in
      order.note(step.number)
      if step.number == 0 {
        Task {
          // It waits for a command of its own line, so that one begins.
          _ = try await publish.engine.value(of: Serial(1, nil))
        }
        await isPart.wait()
      }
      if step.number == 1 {
        isPart.open()
        await gate.wait()
        order.note(10)
      }
      return step.number
    }
    let first = engine.execute(Serial(0, nil))
    let next = engine.execute(Serial(2, nil))
    #expect(try await first.value == 0)
    #expect(next.outcome == nil)
    #expect(order.entries == [0, 1])
    gate.open()
    #expect(try await next.value == 2)
    #expect(order.entries == [0, 1, 10, 2])
  }

  @Test("newest: one from outside cancels the running one and its part; first: one from outside is dropped meanwhile")
  func fromOutside() async throws {
    let engine = Engine()
    let (begun, gates) = (Log<Int>(), [OverlapPolicy.newest: Latch(), .first: Latch()])
    @Sendable func handle<S: Step>(_ step: S, _ publish: Publisher<S>) async throws -> Int {
      begun.note(step.number)
      if step.number == 2 { return try await publish.engine.value(of: S(1, nil)) }
      if step.number == 1 { await gates[S.overlap]?.wait() }
      return step.number
    }
    try engine.use(Newest.self, handler: handle)
    try engine.use(First.self, handler: handle)
    let ends = Log<String>()
    let token = engine.events(of: Newest.self).subscribe { ends.note($0.text) }
    let replaced = engine.execute(Newest(2, nil))
    #expect(await eventually { begun.count == 2 })
    #expect(try await engine.execute(Newest(0, nil)).value == 0)
    #expect(replaced.outcome?.failure is CancellationError)
    #expect(await eventually { ends.count == 3 })
    #expect(ends.entries.sorted() == ["data 0", "error CancellationError()", "error CancellationError()"])
    let running = engine.execute(First(2, nil))
    #expect(await eventually { begun.count == 5 })
    #expect(engine.execute(First(0, nil)).outcome?.isStopped == true)
    for gate in gates.values { gate.open() }
    #expect(try await running.value == 1)
    #expect(try await engine.execute(First(0, nil)).value == 0)
    withExtendedLifetime(token) {}
  }

  @Test("what a handler's thread delivers for others is no part of it: the newest one still replaces it")
  func deliveredForOthers() async throws {
    let engine = Engine()
    let words = Subject<Int, Never>()
    let gate = Gate(patience: longestWait)
    let token = words.subscribe { number in
      if number == 0 { gate.hold() } else { engine.execute(Newest(number, nil)) }
    }
    try engine.use(
      Newest.self,
      synchronously: { step, _ in
        if step.number == 0 { words.send(0) }
        return step.number
      }
    )
    let outcome = Box<Outcome<Int>>()
    await Threads.run(
      { outcome.value = engine.execute(Newest(0, nil)).outcome },
      {
        gate.waitUntilHeld()
        // The thread that carries out the first command delivers this.
        words.send(1)
        gate.open()
      }
    )
    #expect(outcome.value?.failure is CancellationError)
    withExtendedLifetime(token) {}
  }

  @Test("a command that waits for its turn has the task-local values of its sender, not of the one before it")
  func taskLocals() async throws {
    let engine = Engine()
    let (names, gate) = (Log<String>(), Latch())
    try engine.use(Serial.self) { step, _ in
      if step.number == 0 { await gate.wait() }
      names.note(Request.name)
      return step.number
    }
    let executions = ["a", "b", "c"].enumerated().map { number, name in
      Request.$name.withValue(name) { engine.execute(Serial(number, nil)) }
    }
    gate.open()
    for execution in executions { _ = await execution.wait() }
    #expect(names.entries == ["a", "b", "c"])
  }

  @Test("random trees of commands of three policies and three keys, each inside of the one before, end")
  func random() async throws {
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      let tree = Tree(depth: 4, &numbers)
      let engine = Engine()
      @Sendable func handle<B: Branch>(_ branch: B, _ publish: Publisher<B>) async throws -> Int {
        var count = 1
        for child in branch.tree.children { count += try await child.execute(on: publish.engine) }
        return count
      }
      try engine.use(Grown<Newest>.self, handler: handle)
      try engine.use(Grown<First>.self, handler: handle)
      try engine.use(Grown<Serial>.self, handler: handle)
      #expect(try await tree.execute(on: engine.handle) == tree.count, "seed \(seed)")
      #expect(try await tree.execute(on: engine.handle) == tree.count, "seed \(seed)")
    }
  }

  /// A command and those that its handler executes, one after the other.
  private struct Tree: Sendable {
    let policy: Int
    let lane: Int
    let isAwaitedLater: Bool
    let children: [Tree]

    init(depth: Int, _ numbers: inout SplitMix) {
      policy = Int.random(in: 0..<3, using: &numbers)
      lane = Int.random(in: 0..<3, using: &numbers)
      isAwaitedLater = Bool.random(using: &numbers)
      children = (0..<(depth == 0 ? 0 : Int.random(in: 0...3, using: &numbers))).map { _ in
        Tree(depth: depth - 1, &numbers)
      }
    }

    var count: Int { children.reduce(1) { $0 + $1.count } }

    func execute(on engine: EngineHandle) async throws -> Int {
      switch policy {
      case 0: try await execute(Grown<Newest>(tree: self), on: engine)
      case 1: try await execute(Grown<First>(tree: self), on: engine)
      default: try await execute(Grown<Serial>(tree: self), on: engine)
      }
    }

    private func execute<B: Branch>(_ branch: B, on engine: EngineHandle) async throws -> Int {
      guard isAwaitedLater else { return try await engine.value(of: branch) }
      let execution = engine.execute(branch)
      await Task.yield()
      return try await execution.value
    }
  }

  private protocol Branch: Command where Output == Int {
    var tree: Tree { get }
  }

  private struct Grown<Policy: Step>: Branch {
    typealias Output = Int
    static var overlap: OverlapPolicy { Policy.overlap }
    var overlapKey: (any Hashable & Sendable)? { tree.lane }
    let tree: Tree
  }

  @Test("what a timer brings about is no part of the handler that has set it")
  func timer() async throws {
    try await replaceByTimer(on: nil)
  }

  @Test("what a timer brings about in virtual time is no part of the handler that has set it")
  func virtualTimer() async throws {
    try await replaceByTimer(on: VirtualScheduler())
  }

  /// - Parameter time: has the timer; real time if it is `nil`. Where there is virtual time, a timer of a real clock is
  ///   told as a mistake.
  private func replaceByTimer(on time: VirtualScheduler?) async throws {
    let engine = Engine()
    let numbers = Subject<Int, Never>()
    let steps = numbers.observable
    let debounced =
      if let time { steps.debounce(for: .milliseconds(20), on: time) } else {
        steps.debounce(for: .milliseconds(20), on: .continuous)
      }
    let token = debounced.subscribe { engine.execute(Newest($0, nil)) }
    let (hasBegun, goOn, hasReplaced) = (Latch(), Latch(), Latch())
    try engine.use(Newest.self) { step, _ in
      if step.number == 0 {
        hasReplaced.open()
        return 0
      }
      numbers.send(0)
      hasBegun.open()
      await goOn.wait()
      return 1
    }
    let execution = engine.execute(Newest(1, nil))
    await hasBegun.wait()
    time?.advance(by: .seconds(1))
    await hasReplaced.wait()
    goOn.open()
    #expect(await execution.wait().failure is CancellationError)
    withExtendedLifetime(token) {}
  }
}
