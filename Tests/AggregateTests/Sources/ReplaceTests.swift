import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Replacing sources")
struct ReplaceTests {
  @Test("`replace` releases all sources, subscribes to the new ones, and keeps state and subscribers")
  func replace() {
    let old = Subject<Int, Never>()
    let added = Subject<Int, TestError>()
    let new = Subject<Int, TestError>()
    let aggregator = Aggregator(initial: Journal(), sources: old.observable)
    let states = Recorder(aggregator.states.map(\.entries))
    let source = aggregator.add(added.observable)
    old.send(1)

    aggregator.replace(sources: Observable([2]), new.observable)
    old.send(90)
    added.send(91)
    new.send(3)

    #expect(states.values == [[], [1], [1, 2], [1, 2, 3]])
    #expect(old.observerCount == 0)
    #expect(added.observerCount == 0)
    #expect(new.observerCount == 1)
    #expect(!aggregator.remove(source: source))
  }

  @Test("`replace` without sources leaves only events by hand")
  func replaceByNothing() {
    let old = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: old.observable)

    aggregator.replace()

    #expect(old.observerCount == 0)
    #expect(aggregator.send(1))
    #expect(aggregator.snapshot.entries == [1])
  }

  @Test("The old sources are released before the new ones are subscribed to")
  func oldFirst() {
    let log = SubscriptionLog()
    let active = Log<Int>()
    let subject = Subject<Int, Never>()
    let aggregator = Aggregator(
      initial: Journal(),
      sources: subject.observable.recordingSubscriptions(in: log)
    )

    aggregator.replace(
      sources: Observable<Int, Never> { (_: Producer<Int, Never>) in active.note(log.activeCount) }
    )

    #expect(active.entries == [0])
    #expect(log.spans.map(\.outcome) == [.cancelled])
  }

  @Test("`replace` from inside a subscriber drops what the old sources have in line")
  func replaceInsideCallback() {
    let old = Subject<Int, Never>()
    let new = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: old.observable)
    let events = Recorder(aggregator.events) { event in
      guard case .value(1) = event else { return }
      old.send(2)
      aggregator.replace(sources: Observable([10, 11]), new.observable)
      old.send(3)
      new.send(12)
    }

    old.send(1)

    #expect(events.values == [1, 10, 11, 12])
    #expect(aggregator.snapshot.entries == [1, 10, 11, 12])
  }
}
