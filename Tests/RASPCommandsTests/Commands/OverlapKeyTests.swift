import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPCommands

/// A command for a lamp, for each policy.
private protocol Lamp: Numbered {
  var lamp: Int? { get }
  init(_ number: Int, _ lamp: Int?)
}

extension Lamp {
  var overlapKey: (any Hashable & Sendable)? { lamp }
}

private struct Newest: Lamp {
  typealias Output = Int
  static let overlap = OverlapPolicy.newest
  let number: Int
  let lamp: Int?
  init(_ number: Int, _ lamp: Int?) { (self.number, self.lamp) = (number, lamp) }
}

private struct First: Lamp {
  typealias Output = Int
  static let overlap = OverlapPolicy.first
  let number: Int
  let lamp: Int?
  init(_ number: Int, _ lamp: Int?) { (self.number, self.lamp) = (number, lamp) }
}

private struct Serial: Lamp {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
  let number: Int
  let lamp: Int?
  init(_ number: Int, _ lamp: Int?) { (self.number, self.lamp) = (number, lamp) }
}

private struct Unasked: Command {
  typealias Output = Int
  static let timeLimit: Duration? = .seconds(1)
  var overlapKey: (any Hashable & Sendable)? {
    Issue.record("a command that runs beside others is not asked for its key")
    return nil
  }
}

@Suite("Commands that overlap by keys", .endsInTime)
struct OverlapKeyTests {
  private func keyCount<C: Lamp>(_ engine: Engine, _: C.Type) -> Int? {
    engine.handle.registry.route(of: C.self).overlaps?.keyCount
  }

  @Test("LOAD-103: a newcomer replaces the command for its lamp, and no other")
  func perLamp() async throws {
    let (gates, journal) = ((0..<3).map { _ in Latch() }, Log<Int>())
    let engine = try gatedEngine(Newest.self, gates, journal)
    let (hall, kitchen) = (engine.execute(Newest(0, 1)), engine.execute(Newest(1, 2)))
    let hallAgain = engine.execute(Newest(2, 1))
    #expect(hall.outcome?.failure is CancellationError)
    #expect(kitchen.outcome == nil)
    #expect(keyCount(engine, Newest.self) == 2)
    for gate in gates { gate.open() }
    #expect(try await (kitchen.value, hallAgain.value) == (1, 2))
    #expect(await eventually { keyCount(engine, Newest.self) == 0 }, "nothing is kept of a key")
  }

  @Test("LOAD-103: commands whose policy needs no key are not asked for it")
  func unasked() async throws {
    let engine = Engine(scheduler: VirtualScheduler())
    try engine.use(Unasked.self, synchronously: { _, _ in 1 })
    #expect(try await engine.value(of: Unasked()) == 1)
  }

  @Test("LOAD-104: random commands for random lamps do what searched lists do")
  func random() async throws {
    for seed in 0..<UInt64(rounds(2_000)) {
      try await withVirtualTime { time in
        try await program(Newest.self, seed, time)
        try await program(First.self, seed, time)
        try await program(Serial.self, seed, time)
      }
    }
  }

  private func program<C: Lamp>(_: C.Type, _ seed: UInt64, _ time: VirtualScheduler) async throws {
    var numbers = SplitMix(seed: seed)
    let count = 16
    let gates = (0..<count).map { _ in Latch() }
    let engine = try gatedEngine(C.self, gates, Log<Int>())
    var executions: [Execution<Int>] = []
    var (running, waiting) = ([(number: Int, lamp: Int?)](), [(number: Int, lamp: Int?)]())
    var expected = [String](repeating: "handled", count: count)
    func left(_ number: Int) {
      waiting.removeAll { $0.number == number }
      guard let index = running.firstIndex(where: { $0.number == number }) else { return }
      let lamp = running.remove(at: index).lamp
      if let next = waiting.firstIndex(where: { $0.lamp == lamp }) { running.append(waiting.remove(at: next)) }
    }
    while executions.count < count {
      let number = executions.count
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0, 1, 2:
        let lamp = [nil, 1, 2, 3].randomElement(using: &numbers) ?? nil
        executions.append(engine.execute(C(number, lamp)))
        let before = running.firstIndex { $0.lamp == lamp }
        switch (C.overlap, before) {
        case (.newest, let replaced?):
          expected[running[replaced].number] = "cancelled"
          running[replaced] = (number, lamp)
        case (.first, _?): expected[number] = "stopped"
        case (.serial, _?): waiting.append((number, lamp))
        default: running.append((number, lamp))
        }
      case 3:
        guard let ending = running.randomElement(using: &numbers)?.number else { break }
        gates[ending].open()
        left(ending)
      default:
        guard let victim = (running + waiting).randomElement(using: &numbers)?.number else { break }
        executions[victim].cancel()
        expected[victim] = "cancelled"
        left(victim)
      }
      await time.run(for: .zero)
      #expect(keyCount(engine, C.self) == Set(running.compactMap(\.lamp)).count, "seed \(seed), \(number)")
    }
    for gate in gates { gate.open() }
    for (number, execution) in executions.enumerated() {
      let text =
        switch await execution.wait() {
        case .handled(let output): output == number ? "handled" : "wrong result"
        case .stopped: "stopped"
        case .failed(let error): error is CancellationError ? "cancelled" : "\(error)"
        }
      #expect(text == expected[number], "seed \(seed), \(number)")
    }
    await time.run(for: .zero)
    #expect(keyCount(engine, C.self) == 0)
  }
}
