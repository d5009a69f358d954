import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("What an aggregator keeps")
struct StorageTests {
  @Test("What an event brings in and another takes out of the state is released by that event")
  func releasedWhenRemoved() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Scripted())
    let states = aggregator.states.subscribe { _ in }
    defer { states.cancel() }

    aggregator.run { [object = tracker.make()] state in state.objects.append(object) }
    #expect(tracker.liveCount == 1)
    aggregator.run { $0.objects = [] }

    #expect(tracker.liveCount == 0)
  }

  @Test("A selection keeps its last field, and releases it with its last subscriber")
  func selectedField() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Scripted())
    let token = aggregator.select(\.objects, by: { $0.count == $1.count }).subscribe { _ in }
    aggregator.run { [object = tracker.make()] state in state.objects.append(object) }
    #expect(tracker.liveCount == 1)

    aggregator.run { $0.objects = [] }
    #expect(tracker.liveCount == 0)
    token.cancel()
  }

  @Test("Ten thousand selections that come and go leave nothing behind")
  func nothingPilesUp() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    for _ in 0..<10_000 {
      let token = aggregator.select { [object = tracker.make()] state in (object, state.count).1 }
        .select { $0 + 1 }
        .subscribe { _ in }
      token.cancel()
    }
    #expect(tracker.liveCount == 0)
  }
}
