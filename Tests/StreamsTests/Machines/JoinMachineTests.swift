import TestSupport
import Testing

@testable import Streams

@Suite("Machines: joining")
struct JoinMachineTests {
  private typealias Machine = JoinMachine<String>

  /// What an event did, as a text that a table can hold.
  private static func text(_ machine: inout Machine, endOf number: Int, failed: Bool) -> String {
    guard let cancelled = machine.ended(number, failed: failed) else { return "nothing" }
    return failed ? "fail \(cancelled)" : "finish"
  }

  @Test("Merge: it finishes with the last input, and every input ends once")
  func mergeFinishes() {
    var machine = Machine(.merge)
    #expect(machine.opened("a") == 1)
    #expect(machine.opened("b") == 2)
    #expect(machine.arrived("c") == (3, nil))
    #expect(Self.text(&machine, endOf: 2, failed: false) == "nothing")
    #expect(Self.text(&machine, endOf: 2, failed: false) == "nothing", "it is known to have ended")
    #expect(Self.text(&machine, endOf: 1, failed: false) == "nothing")
    #expect(Self.text(&machine, endOf: 7, failed: true) == "nothing", "there is no such input")
    #expect(Self.text(&machine, endOf: 3, failed: false) == "finish")
    #expect(Self.text(&machine, endOf: 3, failed: true) == "nothing")
    #expect(machine.opened("d") == nil)
    #expect(machine.arrived("d") == (nil, nil))
    #expect(machine.over().isEmpty)
  }

  @Test("Merge: a failure cancels all others, in the order in which they came, and what arrives later is not followed")
  func mergeFails() {
    var machine = Machine(.merge)
    for name in ["outer", "a", "b", "c"] { #expect(machine.opened(name) != nil) }
    #expect(Self.text(&machine, endOf: 3, failed: true) == #"fail ["outer", "a", "c"]"#)
    #expect(Self.text(&machine, endOf: 1, failed: true) == "nothing")
    #expect(machine.arrived("d") == (nil, nil))
  }

  @Test("Latest: a newcomer replaces the one before, unless that has ended; the outer stream is never replaced")
  func latest() {
    var machine = Machine(.latest)
    #expect(machine.opened("outer") == 1)
    #expect(machine.arrived("a") == (2, nil))
    #expect(machine.arrived("b") == (3, "a"))
    #expect(Self.text(&machine, endOf: 2, failed: true) == "nothing", "it was replaced")
    #expect(Self.text(&machine, endOf: 3, failed: false) == "nothing", "the outer stream goes on")
    #expect(machine.arrived("c") == (4, nil), "the one before has ended")
    #expect(Self.text(&machine, endOf: 1, failed: false) == "nothing")
    #expect(Self.text(&machine, endOf: 4, failed: false) == "finish")
  }

  @Test("Latest: a failure of either cancels the other")
  func latestFails() {
    for (failing, cancelled) in [(1, "b"), (3, "outer")] {
      var machine = Machine(.latest)
      _ = machine.opened("outer")
      _ = machine.arrived("a")
      _ = machine.arrived("b")
      #expect(Self.text(&machine, endOf: failing, failed: true) == #"fail ["\#(cancelled)"]"#)
    }
  }

  @Test("Cancelling hands out everything that is followed, once")
  func over() {
    for policy in [JoinPolicy.merge, .latest] {
      var machine = Machine(policy)
      _ = machine.opened("outer")
      _ = machine.arrived("a")
      #expect(machine.over() == ["outer", "a"])
      #expect(machine.over().isEmpty)
      #expect(Self.text(&machine, endOf: 1, failed: false) == "nothing")
    }
  }

  /// The same rules, as plainly as they can be said.
  private struct Reference {
    let latest: Bool
    var followed: [(number: Int, name: String)] = []
    var newest: Int?
    var count = 0
    var isOver = false

    mutating func open(_ name: String, replacing: Bool) -> (Int?, String?) {
      if isOver { return (nil, nil) }
      var replaced: String?
      if replacing, latest, let index = followed.firstIndex(where: { $0.number == newest }) {
        replaced = followed.remove(at: index).name
      }
      count += 1
      followed.append((count, name))
      if replacing { newest = count }
      return (count, replaced)
    }

    mutating func end(_ number: Int, failed: Bool) -> String {
      guard !isOver, let index = followed.firstIndex(where: { $0.number == number }) else { return "nothing" }
      followed.remove(at: index)
      if failed {
        isOver = true
        defer { followed = [] }
        return "fail \(followed.map(\.name))"
      }
      isOver = followed.isEmpty
      return isOver ? "finish" : "nothing"
    }
  }

  @Test("Random events: the machine does what the rules say", arguments: [false, true])
  func random(latest: Bool) {
    for seed in 0..<UInt64(rounds(50_000)) {
      var numbers = SplitMix(seed: seed)
      var machine = Machine(latest ? .latest : .merge)
      var reference = Reference(latest: latest)
      for step in 0..<Int.random(in: 1...40, using: &numbers) {
        switch Int.random(in: 0..<8, using: &numbers) {
        // The stream of streams is there before any stream arrives.
        case 0 where !latest || reference.count == 0:
          #expect(machine.opened("\(step)") == reference.open("\(step)", replacing: false).0, "seed \(seed)")
        case 1..<4:
          #expect(machine.arrived("\(step)") == reference.open("\(step)", replacing: true), "seed \(seed)")
        default:
          let number = Int.random(in: 0...reference.count + 1, using: &numbers)
          let failed = Int.random(in: 0..<6, using: &numbers) == 0
          let ending = Self.text(&machine, endOf: number, failed: failed)
          #expect(ending == reference.end(number, failed: failed), "seed \(seed)")
        }
      }
    }
  }
}
