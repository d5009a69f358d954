import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("The stream of events")
struct EventsTests {
  @Test("`events` is what came in, from sources and by hand, from the subscription on")
  func whatCameIn() {
    let subject = Subject<Tally.Event, Never>()
    let aggregator = Aggregator(initial: Tally(), sources: subject.observable)
    aggregator.send(.add(1))
    let events = Recorder(aggregator.events)

    subject.send(.add(2))
    aggregator.send(.rename("a"))

    #expect(events.values == [.add(2), .rename("a")])
  }

  @Test("While a subscriber to `events` runs, the snapshot has the event folded in")
  func snapshotHasTheEvent() {
    let aggregator = Aggregator(initial: Tally())
    let counts = Log<Int>()
    let events = Recorder(aggregator.events) { _ in counts.note(aggregator.snapshot.count) }

    aggregator.send(.add(1))
    aggregator.send(.add(1))

    #expect(events.values.count == 2)
    #expect(counts.entries == [1, 2])
  }

  @Test("An event that its subscribers and the state have released is released")
  func eventsAreReleased() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Scripted())
    let events = aggregator.events.subscribe { _ in }
    defer { events.cancel() }

    aggregator.run { [object = tracker.make()] _ in _ = object }

    #expect(tracker.liveCount == 0)
  }

  @Test("`events` does not start cold sources twice")
  func coldSources() {
    let log = SubscriptionLog()
    let time = VirtualScheduler()
    let source = Observable.interval(.seconds(1), on: time).recordingSubscriptions(in: log)
    let aggregator = Aggregator(initial: Journal(), sources: source)
    let events = Recorder(aggregator.events)
    let states = Recorder(aggregator.states)

    time.advance(by: .seconds(2))

    #expect(log.count == 1)
    #expect(events.values == [0, 1])
    #expect(states.values.map(\.entries) == [[], [0], [0, 1]])
  }
}
