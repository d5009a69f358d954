import Aggregate
import AggregateTestSupport
import TestSupport
import Testing

@Suite("Optimistic")
struct OptimisticTests {
  @Test("VAL-07: a predicted change is shown at once, and one that is refused is taken back and no other")
  func rollback() {
    let tally = Aggregator(initial: Optimistic<Tally, Int>(Tally()))
    tally.send(.predict(.add(1), as: 1))
    tally.send(.predict(.rename("Kim"), as: 2))
    tally.send(.change(.add(10)))
    #expect(tally.snapshot.present == Tally(count: 11, name: "Kim"))
    #expect(tally.snapshot.confirmed == Tally(count: 10))
    tally.send(.refuse(1))
    #expect(tally.snapshot.present == Tally(count: 10, name: "Kim"))
    tally.send(.confirm(2))
    tally.send(.confirm(2))
    #expect(tally.snapshot.confirmed == Tally(count: 10, name: "Kim"))
    #expect(tally.snapshot.waitingIDs == [])
  }

  @Test("VAL-07: a change that the state refuses is not predicted, and one that no longer fits is left out")
  func refusal() {
    let account = Aggregator(initial: Optimistic<Account, Int>(Account()))
    account.send(.change(.init(10)))
    account.send(.predict(.init(-20), as: 1))
    #expect(account.snapshot.waitingIDs == [])
    account.send(.predict(.init(-8), as: 2))
    #expect(account.snapshot.balance == 2)
    account.send(.change(.init(-5)))
    #expect(account.snapshot.balance == 5, "it does not fit")
    account.send(.change(.init(5)))
    #expect(account.snapshot.balance == 2, "it fits again")
  }

  @Test("VAL-07: the present state is the confirmed one with the waiting changes, in random programs")
  func randomPrograms() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      var tally = Optimistic<Tally, Int>(Tally())
      var confirmed = Tally()
      var waiting: [(id: Int, event: Tally.Event)] = []
      for step in 0..<30 {
        let event: Tally.Event =
          Bool.random(using: &random) ? .add(.random(in: 1...9, using: &random)) : .rename("\(random.next() % 9)")
        let id = Int.random(in: 0...step, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          tally.apply(.change(event))
          confirmed.apply(event)
        case 1:
          tally.apply(.confirm(id))
          if let index = waiting.firstIndex(where: { $0.id == id }) { confirmed.apply(waiting.remove(at: index).event) }
        case 2:
          tally.apply(.refuse(id))
          waiting.removeAll { $0.id == id }
        default:
          tally.apply(.predict(event, as: step))
          waiting.append((step, event))
        }
        var present = confirmed
        for (_, event) in waiting { present.apply(event) }
        #expect(tally.present == present && tally.confirmed == confirmed, "seed \(seed)")
        #expect(tally.waitingIDs == waiting.map(\.id), "seed \(seed)")
      }
    }
  }
  /// Two collections, of which each event changes one. It counts how often that had to be copied.
  private struct Halves: AggregateState, Equatable {
    enum Event: Sendable { case left, right }

    final class Storage: Sendable {}

    private var storage = [Storage(), Storage()]
    private(set) var copies = [0, 0]

    mutating func apply(_ event: Event) {
      let half = event == .left ? 0 : 1
      if isKnownUniquelyReferenced(&storage[half]) { return }
      storage[half] = Storage()
      copies[half] += 1
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.copies == rhs.copies }
  }

  @Test("A confirmed change copies nothing that the waiting changes leave alone, and a prediction nothing twice")
  func copies() {
    var halves = Optimistic<Halves, Int>(Halves())
    halves.apply(.predict(.left, as: 1))
    #expect(halves.present.copies == [1, 0])
    halves.apply(.predict(.left, as: 2))
    #expect(halves.present.copies == [1, 0], "the predicted state has its own")
    for _ in 0..<10 { halves.apply(.change(.right)) }
    halves.apply(.confirm(2))
    for _ in 0..<10 { halves.apply(.change(.right)) }
    #expect(halves.confirmed.copies == [0, 0])
  }

  @Test("VAL-07: what is shown stays when the state refuses a change or a prediction")
  func refusedWhileWaiting() {
    let account = Aggregator(initial: Optimistic<Account, Int>(Account()))
    account.send(.change(.init(10)))
    account.send(.predict(.init(-8), as: 1))
    account.send(.predict(.init(-5), as: 2))
    #expect(account.snapshot.present.balance == 2)
    #expect(account.snapshot.waitingIDs == [1])
    account.send(.change(.init(-20)))
    #expect(account.snapshot.present.balance == 2)
    #expect(account.snapshot.confirmed.balance == 10)
    var alone = account.snapshot
    #expect(throws: (any Error).self) { try alone.apply(.predict(.init(-5), as: 2)) }
    #expect(alone.present.balance == 2, "what is shown stays outside of an aggregator, too")
  }
}
