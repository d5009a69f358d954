import TestSupport
import Testing

@testable import RASPCommands

@Suite("The machine of an execution")
struct RunMachineTests {
  private typealias Machine = RunMachine<String>

  private static let canceller = Canceller(task: nil, complete: { _ in })

  @Test("who arrives before the last event is delivered waits, also behind the outcome, and is resumed once")
  func waits() {
    var machine = Machine()
    let arrivals = [machine.arrive("a"), machine.arrive("b")]
    #expect(arrivals == [false, false])
    let isFirst = machine.finish()
    #expect(isFirst)
    #expect(!machine.isSettled)
    _ = machine.settle(1, .handled)
    #expect(machine.isSettled)
    let needNotWait = machine.arrive("c")
    #expect(!needNotWait)
    let waiters = machine.deliver().all
    #expect(waiters == ["a", "b", "c"])
    let nobody = machine.deliver().all
    #expect(nobody.isEmpty)
  }

  @Test("who arrives when the last event has been delivered need not wait")
  func arrivesLate() {
    var machine = Machine()
    _ = machine.finish()
    _ = machine.settle(1, .handled)
    _ = machine.deliver()
    let needNotWait = machine.arrive("a")
    #expect(needNotWait)
    #expect(machine.publication?.isHandled == true)
  }

  @Test("the place is given back with the outcome, or refused behind it")
  func place() {
    var machine = Machine()
    let place = Place(Run(.unknown), mayWait: false)
    let wasLate = machine.take(place)
    #expect(!wasLate)
    _ = machine.finish()
    let free = machine.settle(1, nil).place
    #expect(free === place)
    #expect(machine.place == nil)
    let isLate = machine.take(place)
    #expect(isLate)
  }

  @Test("the first end counts; without a canceller nothing ends it from outside")
  func firstEnd() {
    var machine = Machine()
    let early = machine.withdraw()
    #expect(early == nil)
    _ = machine.begin(Self.canceller)
    let first = machine.withdraw()
    #expect(first != nil)
    let second = machine.withdraw()
    #expect(second == nil)
    let finishes = machine.finish()
    #expect(!finishes)
    #expect(machine.phase == RunPhase.withdrawn)
  }

  @Test("a task that begins after the execution was withdrawn is to be stopped")
  func lateTask() {
    var machine = Machine()
    let before = machine.begin(Self.canceller).stops
    _ = machine.withdraw()
    let after = machine.begin(Self.canceller).stops
    let released = machine.settle(1, nil).released
    let late = machine.begin(Self.canceller).stops
    #expect([before, after, late] == [false, true, true])
    #expect(released != nil)
  }

  /// The same with plain lists and flags.
  private struct Reference {
    var end: String?
    var isSettled = false
    var isDelivered = false
    var canBeCancelled = false
    var waiters: [Int] = []
  }

  @Test("random events give what plain flags give")
  func random() {
    for seed in 0..<UInt64(rounds(50_000)) {
      var numbers = SplitMix(seed: seed)
      var machine = RunMachine<Int>()
      var reference = Reference()
      for step in 0..<Int.random(in: 1...20, using: &numbers) {
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0:
          let isFirst = machine.finish()
          #expect(isFirst == (reference.end == nil), "seed \(seed), step \(step)")
          reference.end = reference.end ?? "over"
        case 1:
          let isFirst = reference.end == nil && reference.canBeCancelled
          let canceller = machine.withdraw()
          #expect((canceller != nil) == isFirst, "seed \(seed), step \(step)")
          if isFirst { reference.end = "withdrawn" }
        case 2:
          let (released, stops) = machine.begin(Self.canceller)
          #expect((released != nil) == (reference.canBeCancelled && !reference.isSettled), "seed \(seed), step \(step)")
          #expect(stops == (reference.end == "withdrawn"), "seed \(seed), step \(step)")
          if !reference.isSettled { reference.canBeCancelled = true }
        case 3:
          let needNotWait = machine.arrive(step)
          #expect(needNotWait == reference.isDelivered, "seed \(seed), step \(step)")
          if !reference.isDelivered { reference.waiters.append(step) }
        case 4:
          guard reference.isSettled else { break }
          let waiters = machine.deliver().all
          #expect(waiters == reference.waiters, "seed \(seed), step \(step)")
          (reference.isDelivered, reference.waiters) = (true, [])
        default:
          guard reference.end != nil, !reference.isSettled else { break }
          let released = machine.settle(step, nil).released
          #expect((released != nil) == reference.canBeCancelled, "seed \(seed), step \(step)")
          (reference.isSettled, reference.canBeCancelled) = (true, false)
        }
        #expect(machine.isSettled == reference.isSettled, "seed \(seed), step \(step)")
      }
    }
  }

  #if DEBUG
    @Test("an outcome before the end traps in a debug build")
    func settlesTooEarly() async {
      await #expect(processExitsWith: .failure) {
        var machine = RunMachine<Int>()
        _ = machine.settle(1, nil)
      }
    }
  #endif
}

extension RunMachine.Waiters {
  fileprivate var all: [Waiter] { (first.map { [$0] } ?? []) + others }
}
