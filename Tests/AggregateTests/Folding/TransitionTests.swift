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
}
