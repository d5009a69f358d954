import Aggregate
import AggregateTestSupport
import RASPTesting
import RASPValues
import Streams
import TestSupport
import Testing

@Suite("Undoable")
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
    account.send(.change(-5))
    #expect(!account.snapshot.canUndo)
    var alone = account.snapshot
    for event in [Revision.change(-5), .apply(-5)] {
      #expect(throws: Account.Refusal.self) { try alone.apply(event) }
      #expect(alone.present == Account(), "nothing has changed outside of an aggregator, too")
    }
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

  @Test("VAL-11: changes that are joined by one name are one step, until another step comes between them")
  func joining() {
    var tally = Undoable(Tally())
    for name in ["K", "Ki", "Kim"] { tally.apply(.change(.rename(name), joining: "word 1")) }
    tally.apply(.change(.rename("Kim J"), joining: "word 2"))
    tally.apply(.undo)
    #expect(tally.name == "Kim")
    tally.apply(.change(.rename("Kim!"), joining: "word 1"))
    tally.apply(.undo)
    #expect(tally.name == "Kim", "a change behind an undo joins nothing")
    tally.apply(.undo)
    #expect(tally.name == "" && !tally.canUndo)
    tally.apply(.redo)
    #expect(tally.name == "Kim")
  }

  @Test("VAL-12: what is no step stays when steps are undone and redone, and joins and forgets nothing")
  func applied() {
    var tally = Undoable(Tally())
    tally.apply(.change(.rename("K"), joining: "word"))
    tally.apply(.apply(.add(7)))
    tally.apply(.change(.rename("Ki"), joining: "word"))
    tally.apply(.undo)
    #expect(tally.present == Tally(count: 7) && !tally.canUndo && tally.canRedo)
    tally.apply(.apply(.add(1)))
    tally.apply(.redo)
    #expect(tally.present == Tally(count: 8, name: "Ki"))

    var account = Undoable(Account())
    try? account.apply(.change(5))
    try? account.apply(.apply(-4))
    try? account.apply(.undo)
    #expect(account.balance == 0, "a snapshot that refuses it stays as it is")
  }

  @Test("VAL-05: any program over a state that is undone does what a list of all states does")
  func randomPrograms() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let limit = seed % 10 == 0 ? Int.random(in: 0...80, using: &random) : Int.random(in: 0...5, using: &random)
      var undoable = Undoable(Tally(), limit: limit)
      // All states, and where in them the present one is.
      var states = [Tally()]
      var index = 0
      var joined: String?
      for _ in 0..<(limit > 5 ? 400 : 40) {
        let change: Tally.Event =
          Bool.random(using: &random) ? .add(.random(in: -3...3, using: &random)) : .rename("\(random.next() % 4)")
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          undoable.apply(.undo)
          if index > 0 { (index, joined) = (index - 1, nil) }
        case 1:
          undoable.apply(.redo)
          if index < states.count - 1 { (index, joined) = (index + 1, nil) }
        case 2:
          undoable.apply(.apply(change))
          for index in states.indices { states[index].apply(change) }
        default:
          let name = Bool.random(using: &random) ? nil : "\(random.next() % 2)"
          undoable.apply(.change(change, joining: name))
          states.removeSubrange((index + 1)...)
          var next = states[index]
          next.apply(change)
          if name != nil, name == joined { states[index] = next } else { states.append(next) }
          joined = name
          if states.count > limit + 1 { states.removeFirst() }
          index = states.count - 1
        }
        #expect(undoable.present == states[index], "seed \(seed)")
        #expect(undoable.canUndo == (index > 0), "seed \(seed)")
        #expect(undoable.canRedo == (index < states.count - 1), "seed \(seed)")
      }
    }
  }

  private struct Fleet: AggregateState, Equatable {
    var boats: Keyed<String, Int> = [:]

    mutating func apply(_ event: (id: String, place: Int)) { boats[event.id] = event.place }
  }

  @Test("KEY-02: a state that is undone has its earlier rows, also below a selection")
  func rows() {
    let fleet = Aggregator(initial: Undoable(Fleet()))
    let a = Recorder(fleet.select(\.present).select(\.boats, key: "a").observable)
    let direct = Recorder(fleet.select(\.present.boats, key: "a").observable)
    fleet.send(.change((id: "a", place: 1)))
    fleet.send(.change((id: "a", place: 2)))
    fleet.send(.undo)
    fleet.send(.change((id: "a", place: 3)))
    fleet.send(.undo)
    fleet.send(.redo)
    #expect(a.values == [nil, 1, 2, 1, 3, 1, 3])
    #expect(direct.values == a.values)
  }
}
