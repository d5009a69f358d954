import TestSupport
import Testing

@testable import RASPSupport

@Suite("Machines: work that overlaps")
struct OverlapMachineTests {
  private typealias Machine = OverlapMachine<String>

  /// An answer that can be compared.
  private func said(_ answer: Machine.Answer) -> String {
    switch answer {
    case .start(let number): "start \(number)"
    case .replace(let number, let work): "start \(number), cancel \(work)"
    case .wait(let number): "wait \(number)"
    case .drop: "drop"
    }
  }

  @Test("Concurrent: all start, and nothing follows an end")
  func concurrent() {
    var machine = Machine(.concurrent)
    #expect(said(machine.arrived("a")) == "start 0")
    #expect(said(machine.arrived("b")) == "start 1")
    #expect(machine.left(0) == nil)
    #expect(!machine.isIdle)
    #expect(machine.left(1) == nil)
    #expect(machine.isIdle)
  }

  @Test("Newest: a newcomer cancels the one before, once")
  func newest() {
    var machine = Machine(.newest)
    #expect(said(machine.arrived("a")) == "start 0")
    #expect(said(machine.arrived("b")) == "start 1, cancel a")
    #expect(machine.left(0) == nil, "the cancelled one leaves late")
    #expect(said(machine.arrived("c")) == "start 2, cancel b")
    #expect(machine.left(2) == nil)
    #expect(said(machine.arrived("d")) == "start 3", "c has ended, and b was cancelled before")
  }

  @Test("First: newcomers are dropped until the first has ended")
  func first() {
    var machine = Machine(.first)
    #expect(said(machine.arrived("a")) == "start 0")
    #expect(said(machine.arrived("b")) == "drop")
    #expect(machine.left(0) == nil)
    #expect(said(machine.arrived("c")) == "start 1")
  }

  @Test("Serial: one after the other, in the order of arrival, without those that were withdrawn")
  func serial() {
    var machine = Machine(.serial)
    #expect(said(machine.arrived("a")) == "start 0")
    #expect(said(machine.arrived("b")) == "wait 1")
    #expect(said(machine.arrived("c")) == "wait 2")
    #expect(said(machine.arrived("d")) == "wait 3")
    #expect(machine.left(2) == nil, "c is withdrawn")
    let second = machine.left(0)
    #expect(second?.number == 1)
    #expect(second?.work == "b")
    let third = machine.left(1)
    #expect(third?.number == 3)
    #expect(third?.work == "d")
    #expect(machine.left(3) == nil)
    #expect(machine.isIdle)
  }

  /// The same with lists that are searched.
  private struct Reference {
    let policy: OverlapPolicy
    var arrivals = 0
    var running: [(number: Int, work: String, isReplaced: Bool)] = []
    var waiting: [(number: Int, work: String)] = []

    mutating func arrived(_ work: String) -> String {
      if policy == .first, !running.isEmpty { return "drop" }
      let number = arrivals
      arrivals += 1
      if policy == .serial, !running.isEmpty {
        waiting.append((number, work))
        return "wait \(number)"
      }
      let replaced = policy == .newest ? running.firstIndex { !$0.isReplaced } : nil
      if let replaced { running[replaced].isReplaced = true }
      running.append((number, work, false))
      return replaced.map { "start \(number), cancel \(running[$0].work)" } ?? "start \(number)"
    }

    mutating func left(_ number: Int) -> (number: Int, work: String)? {
      if let index = waiting.firstIndex(where: { $0.number == number }) {
        waiting.remove(at: index)
        return nil
      }
      running.removeAll { $0.number == number }
      guard !waiting.isEmpty else { return nil }
      let next = waiting.removeFirst()
      running.append((next.number, next.work, false))
      return next
    }
  }

  @Test("Random arrivals and ends give what searched lists give", arguments: OverlapPolicy.allCases)
  func random(policy: OverlapPolicy) {
    for seed in 0..<UInt64(rounds(20_000)) {
      var numbers = SplitMix(seed: seed)
      var machine = Machine(policy)
      var reference = Reference(policy: policy)
      for step in 0..<Int.random(in: 1...60, using: &numbers) {
        let present = reference.running.map(\.number) + reference.waiting.map(\.number)
        if let leaving = present.randomElement(using: &numbers), Bool.random(using: &numbers) {
          let next = machine.left(leaving)
          let expected = reference.left(leaving)
          #expect(next?.number == expected?.number, "seed \(seed), step \(step)")
          #expect(next?.work == expected?.work, "seed \(seed), step \(step)")
        } else {
          #expect(said(machine.arrived("\(step)")) == reference.arrived("\(step)"), "seed \(seed), step \(step)")
        }
        #expect(machine.isIdle == reference.running.isEmpty, "seed \(seed), step \(step)")
      }
    }
  }

  #if DEBUG
    @Test("Work that leaves twice traps in a debug build")
    func leavesTwice() async {
      await #expect(processExitsWith: .failure) {
        var machine = OverlapMachine<Int>(.first)
        _ = machine.arrived(1)
        _ = machine.left(0)
        _ = machine.left(0)
      }
    }
  #endif
}

extension OverlapMachine {
  fileprivate mutating func left(_ number: Int) -> (number: Int, work: Work)? {
    var gone: Work?
    return left(number, &gone)
  }
}
