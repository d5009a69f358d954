import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Transitions of a field")
struct TransitionTests {
  @Test("AGG-31: a transition tells the event, its source, and the values before and after; other events tell nothing")
  func transition() {
    let counts = Subject<Tally.Event, Never>()
    let tally = Aggregator(initial: Tally())
    let source = tally.add(counts.observable)
    let changes = Recorder(tally.transitions(of: \.count))

    counts.send(.add(2))
    tally.send(.rename("a"))
    tally.send(.add(0))
    tally.send(.add(3))

    #expect(
      changes.values == [
        Transition(event: .add(2), source: source, old: 0, new: 2),
        Transition(event: .add(3), source: nil, old: 2, new: 5),
      ]
    )
  }

  @Test("AGG-31: a newcomer gets the changes that come from then on, also one that subscribes in a round")
  func newcomer() {
    let tally = Aggregator(initial: Tally())
    tally.send(.add(1))
    let late = Log<Recorder<Transition<Tally.Event, Int>, Never>>()
    let trigger = tally.select(\.name).subscribe { name in
      if name == "now" { late.note(Recorder(tally.transitions(of: \.count))) }
    }
    tally.send(.add(1))
    tally.send(.rename("now"))
    tally.send(.add(5))

    #expect(late.entries.map(\.values) == [[Transition(event: .add(5), source: nil, old: 2, new: 7)]])
    trigger.cancel()
  }

  @Test("AGG-31: an event that waited in the line keeps its source, and a refused event makes no transition")
  func waiting() {
    let bookings = Subject<Int, Never>()
    let account = Aggregator(initial: Account())
    let source = account.add(bookings.observable)
    let changes = Recorder(account.transitions(of: \.balance))
    let reentrant = account.events.prefix(1).subscribe { _ in
      bookings.send(-500)
      bookings.send(7)
    }
    account.send(10)

    #expect(changes.values.map(\.source) == [nil, source])
    #expect(changes.values.map(\.old) == [0, 10])
    #expect(changes.values.map(\.new) == [10, 17])
    reentrant.cancel()
  }

  @Test("AGG-31: a number that stays NaN makes no transition")
  func notANumber() {
    let kinds = Aggregator(initial: Kinds(double: .nan))
    let changes = Recorder(kinds.transitions(of: \.double).map { "\($0.old) \($0.new)" })
    for value in [Double.nan, -.nan, 12, 12, .nan, .nan] { kinds.edit { $0.double = value } }
    #expect(changes.values == ["nan 12.0", "12.0 nan"])
  }

  @Test("AGG-31: small changes within a tolerance add up to one that is told, from the value that was told last")
  func tolerance() {
    let kinds = Aggregator(initial: Kinds())
    let changes = Recorder(kinds.transitions(of: { $0.double }, by: { abs($0 - $1) < 0.5 }))
    for step in 1...8 { kinds.edit { $0.double = Double(step) / 4 } }
    #expect(changes.values.map(\.old) == [0, 0.5, 1, 1.5])
    #expect(changes.values.map(\.new) == [0.5, 1, 1.5, 2])
  }

  @Test("AGG-31: a transition is told where a selection tells of a change, in random programs")
  func asSelections() {
    func pair<Field: Sendable>(
      _ selection: Selection<Field>,
      _ transitions: Observable<Transition<Kinds.Edit, Field>, Never>
    ) -> (selected: Recorder<String, Never>, told: Recorder<[String], Never>) {
      (Recorder(selection.observable.map { "\($0)" }), Recorder(transitions.map { ["\($0.old)", "\($0.new)"] }))
    }
    let near: @Sendable (Double, Double) -> Bool = { abs($0 - $1) < 1 }
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      let kinds = Aggregator(initial: Kinds(double: .nan))
      let pairs = [
        pair(kinds.select(\.double), kinds.transitions(of: \.double)),
        pair(kinds.select(\.optionalDouble), kinds.transitions(of: \.optionalDouble)),
        pair(kinds.select(\.reading), kinds.transitions(of: \.reading)),
        pair(kinds.select(\.array.first), kinds.transitions(of: \.array.first)),
        pair(kinds.select({ $0.double }, by: near), kinds.transitions(of: { $0.double }, by: near)),
      ]
      for _ in 0..<20 {
        let value = [0, 0.5, 1, 1.5, .nan].randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<5, using: &random) {
        case 0: kinds.edit { $0.double = value }
        case 1: kinds.edit { $0.optionalDouble = value < 1 ? nil : value }
        case 2: kinds.edit { $0.reading.value = value }
        case 3: kinds.edit { $0.array = value < 1 ? [] : ["\(value)"] }
        default: kinds.touch()
        }
      }
      for (index, pair) in pairs.enumerated() {
        let selected = pair.selected.values
        #expect(pair.told.values == zip(selected, selected.dropFirst()).map { [$0, $1] }, "seed \(seed), \(index)")
      }
    }
  }
}
