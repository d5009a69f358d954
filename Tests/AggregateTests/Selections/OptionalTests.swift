import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// Where something is optional by itself, `nil` is a value like any other and never stands for "nothing there".
@Suite("Optionals", .endsInTime)
struct OptionalTests {
  private struct Latest: AggregateState {
    var value: Int?
    var events = 0

    mutating func apply(_ event: Int?) {
      value = event
      events += 1
    }
  }

  @Test("Events that are optional: nil is an event")
  func events() {
    let aggregator = Aggregator(initial: Latest(), sources: Observable([1, nil, 2] as [Int?]))
    let events = Recorder(aggregator.events)

    aggregator.send(nil)
    aggregator.send(3)

    #expect(aggregator.snapshot.events == 5)
    #expect(events.values == [nil, 3])
  }

  @Test("A field that is nil is selected, delivered, derived from and waited for like any other")
  func fields() async {
    let derivations = Counter()
    let aggregator = Aggregator(initial: Latest(value: 1))
    let derived = StateSelector(combining: StateSelector(\Latest.value)) { value -> Int? in
      derivations.increment()
      return value
    }
    let recorder = Recorder(aggregator.select(derived).observable)
    let before = derivations.value
    var values = aggregator.select(\.value).values.makeAsyncIterator()

    let first = await values.next()
    aggregator.send(nil)
    aggregator.send(nil)
    let second = await values.next()
    aggregator.finish()
    let end = await values.next()

    #expect(first == .some(.some(1)))
    #expect(second == .some(.none))
    #expect(end == .none)
    #expect(recorder.values == [1, nil])
    #expect(derivations.value == before + 1)
  }
}
