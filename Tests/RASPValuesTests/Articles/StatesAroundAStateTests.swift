import Aggregate
import AggregateTestSupport
import RASPValues
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

@Suite("The landing page, and the article about states around a state")
struct StatesAroundAStateTests {
  @Test("every Swift block of the two is compiled by this target")
  func blocksAreCompiled() throws {
    for (name, count) in [("RASPValues", 2), ("StatesAroundAState", 4)] {
      let document = "Sources/RASPValues/RASPValues.docc/\(name).md"
      #expect(try ArticleBlocks.count(in: document) == count)
      #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPValuesTests") == [])
    }
  }

  @Test("the text of the landing page")
  func text() {
    let text = Aggregator(initial: Undoable(Text()))
    text.send(.change(.insert("K"), joining: "word 1"))
    text.send(.change(.insert("im"), joining: "word 1"))
    text.send(.apply(.readers(3)))
    text.send(.undo)
    print(text.snapshot.letters, text.snapshot.readers)  // "" and 3
    #expect(text.snapshot.letters == "" && text.snapshot.readers == 3)
  }

  @Test("undo by inverse events does what undo by snapshots does")
  func reversible() {
    for seed in 0..<UInt64(rounds(1_000)) {
      var random = SplitMix(seed: seed)
      var (reversible, undoable) = (Reversible(Tally()), Undoable(Tally()))
      for _ in 0..<40 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          reversible.apply(.undo)
          undoable.apply(.undo)
        case 1:
          reversible.apply(.redo)
          undoable.apply(.redo)
        default:
          let change = Bool.random(using: &random) ? Tally.Event.add(2) : .rename("\(random.next() % 4)")
          reversible.apply(.change(change))
          undoable.apply(.change(change))
        }
        #expect(reversible.present == undoable.present, "seed \(seed)")
      }
      reversible.apply(.change(.nothing))
      let before = reversible.present
      reversible.apply(.undo)
      #expect(reversible.present == before, "an event without an inverse cannot be undone")
    }
  }

  @Test("a predicted change is shown until it is refused, and taken back without the others")
  func optimistic() async {
    let account = Aggregator(initial: Optimistic(Account()))
    func balances(after events: Optimistic<Account>.Event...) -> [Int] {
      account.send(contentsOf: events)
      return [account.snapshot.present.balance, account.snapshot.confirmed.balance]
    }
    #expect(balances(after: .change(10), .predict(-20, as: 1), .predict(-8, as: 2)) == [2, 10])
    #expect(balances(after: .change(-5)) == [5, 5], "it does not fit")
    #expect(balances(after: .change(5)) == [2, 10], "it fits again")
    #expect(balances(after: .refuse(2)) == [10, 10])

    let form = Aggregator(initial: Optimistic(FormState()))
    await rename(form, to: "Kim", as: 1)
    await rename(form, to: "", as: 2)
    #expect(form.snapshot.present == FormState(name: "Kim") && form.snapshot.confirmed == FormState(name: "Kim"))
  }

  @Test("a weighted mean is that of the values in the window, and what is not finite is not taken in")
  func weights() {
    var window = WeightedWindow(over: .seconds(10))
    #expect(window.mean == nil)
    window.insert(10, weight: 1, at: .seconds(0))
    window.insert(20, weight: 3, at: .seconds(5))
    for (value, weight) in [(.nan, 3), (7, -1), (7, Double.infinity)] {
      window.insert(value, weight: weight, at: .seconds(5))
    }
    #expect(window.mean == 17.5)
    window.advance(to: .seconds(10))
    #expect(window.mean == 20)
  }
}
