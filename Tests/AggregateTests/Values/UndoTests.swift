import Aggregate
import AggregateTestSupport
import TestSupport
import Testing

extension Tally: ReversibleState {
  package func inverse(of event: Event) -> Event? {
    switch event {
    case .add(let amount): .add(-amount)
    case .rename: .rename(name)
    case .nothing: nil
    }
  }
}

@Suite("Undoable and Reversible")
struct UndoTests {
  @Test("VAL-05: a change is undone and redone, and a change after that forgets what was undone")
  func snapshots() {
    let tally = Aggregator(initial: Undoable(Tally()))
    tally.send(.undo)
    tally.send(.change(.add(1)))
    tally.send(.change(.add(2)))
    tally.send(.undo)
    #expect(tally.snapshot.count == 1)
    #expect(tally.snapshot.canUndo && tally.snapshot.canRedo)
    tally.send(.redo)
    #expect(tally.snapshot.count == 3)
    tally.send(.undo)
    tally.send(.change(.add(10)))
    tally.send(.redo)
    #expect(tally.snapshot.present == Tally(count: 11))
    #expect(!tally.snapshot.canRedo)
  }

  @Test("VAL-05: a refused event is no change, and the newest changes are kept up to the limit")
  func limits() {
    let account = Aggregator(initial: Undoable(Account(), limit: 2))
    account.send(.change(.init(-5)))
    #expect(!account.snapshot.canUndo)
    var none = Undoable(Tally(), limit: -1)
    none.apply(.change(.add(1)))
    #expect(!none.canUndo && none.count == 1)
    var tally = Undoable(Tally(), limit: 2)
    for amount in [1, 10, 100] { tally.apply(.change(.add(amount))) }
    for _ in 0..<3 { tally.apply(.undo) }
    #expect(tally.count == 1)
    for _ in 0..<3 { tally.apply(.redo) }
    #expect(tally.count == 111)
  }

  @Test("VAL-06: undoing by inverse events is the same as undoing by snapshots, in random programs")
  func randomPrograms() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let limit = seed % 10 == 0 ? Int.random(in: 0...80, using: &random) : Int.random(in: 0...5, using: &random)
      var undoable = Undoable(Tally(), limit: limit)
      var reversible = Reversible(Tally(), limit: limit)
      // All states, and where in them the present one is.
      var states = [Tally()]
      var index = 0
      for _ in 0..<(limit > 5 ? 400 : 40) {
        let event: Revision<Tally.Event>
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          event = .undo
          index = max(0, index - 1)
        case 1:
          event = .redo
          index = min(states.count - 1, index + 1)
        default:
          let change: Tally.Event =
            Bool.random(using: &random) ? .add(.random(in: -3...3, using: &random)) : .rename("\(random.next() % 4)")
          event = .change(change)
          states.removeSubrange((index + 1)...)
          var next = states[index]
          next.apply(change)
          states.append(next)
          if states.count > limit + 1 { states.removeFirst() }
          index = states.count - 1
        }
        undoable.apply(event)
        reversible.apply(event)
        #expect(undoable.present == states[index], "seed \(seed)")
        #expect(reversible.present == states[index], "seed \(seed)")
        #expect(undoable.canUndo == (index > 0) && reversible.canUndo == (index > 0), "seed \(seed)")
        let canRedo = index < states.count - 1
        #expect(undoable.canRedo == canRedo && reversible.canRedo == canRedo, "seed \(seed)")
      }
    }
  }

  @Test("VAL-06: an event without an inverse is folded, and nothing before it can be undone")
  func withoutInverse() {
    var tally = Reversible(Tally())
    tally.apply(.change(.add(1)))
    tally.apply(.change(.nothing))
    #expect(!tally.canUndo && tally.count == 1)
  }
}
