import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Ownership")
struct OwnershipTests {
  /// A state that holds an object shows when the whole of an aggregator is gone.
  private func tracked(_ tracker: LifetimeTracker) -> Scripted {
    Scripted(objects: [tracker.make()])
  }

  @Test("AGG-13: a source does not keep the aggregator alive, and nothing of it is left in the source")
  func sourcesDoNotOwn() {
    let tracker = LifetimeTracker()
    let subject = Subject<Scripted.Step, Never>()
    let holder = Box(Aggregator(initial: tracked(tracker), sources: subject.observable))
    #expect(subject.observerCount == 1)
    #expect(tracker.liveCount == 1)

    holder.take()

    #expect(subject.observerCount == 0)
    #expect(tracker.liveCount == 0)
  }

  @Test("AGG-13: a subscription does not keep the aggregator alive; it ends, and leaves no cycle")
  func subscriptionsDoNotOwn() {
    let tracker = LifetimeTracker()
    let holder = Box(Aggregator(initial: tracked(tracker)))
    weak let aggregator = holder.value
    let ended = Counter()
    let tokens = [
      holder.value?.states.subscribe { _ in
      } onEnd: { _ in
        ended.increment()
      },
      holder.value?.events.subscribe { _ in
      } onEnd: { _ in
        ended.increment()
      },
      holder.value?.select(\.value).subscribe { _ in
      } onEnd: { _ in
        ended.increment()
      },
      holder.value?.select(\.objects).select(\.count).subscribe { _ in
      } onEnd: { _ in
        ended.increment()
      },
    ]

    holder.take()

    #expect(aggregator == nil)
    #expect(ended.value == 4)
    #expect(tracker.liveCount == 0)
    for token in tokens { #expect(token?.isActive == false) }
  }

  @Test("AGG-13: a selection keeps the last state readable, not the aggregator alive")
  func selectionsDoNotOwn() {
    let tracker = LifetimeTracker()
    let subject = Subject<Scripted.Step, Never>()
    let holder = Box(Aggregator(initial: tracked(tracker), sources: subject.observable))
    do {
      let selection = holder.value?.select(\.objects.count)
      holder.take()
      #expect(subject.observerCount == 0)
      #expect(selection?.current == 1)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("AGG-13: cancelling releases everything the observer captured, and of a selection's closure")
  func cancelReleases() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    let tokens = [
      aggregator.states.subscribe { [object = tracker.make()] _ in _ = object },
      aggregator.events.subscribe { [object = tracker.make()] _ in _ = object },
      aggregator.select(\.count).subscribe { [object = tracker.make()] _ in _ = object },
      aggregator.select { [object = tracker.make()] state in
        _ = object
        return state.count
      }.subscribe { _ in },
      aggregator.rejections.subscribe { [object = tracker.make()] _ in _ = object },
    ]
    #expect(tracker.liveCount == 5)

    for token in tokens { token.cancel() }

    #expect(tracker.liveCount == 0)
    aggregator.send(.add(1))
  }

  @Test("AGG-13: cancelling from inside the callback releases when the delivery is over")
  func cancelInsideReleases() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    let holder = Box<Subscription>()
    holder.value = aggregator.states.subscribe { [object = tracker.make()] state in
      _ = object
      if state.count == 1 { holder.take() }
    }
    #expect(tracker.liveCount == 1)

    aggregator.send(.add(1))

    #expect(tracker.liveCount == 0)
  }

  @Test("A detached subscription lives until the aggregator finishes, and is then released")
  func detached() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    aggregator.select(\.count).subscribe { [object = tracker.make()] _ in _ = object }.detach()
    aggregator.send(.add(1))
    #expect(tracker.liveCount == 1)

    aggregator.finish()

    #expect(tracker.liveCount == 0)
  }

  @Test("A source that was removed, or that finished or failed, is released")
  func sourcesAreReleased() {
    struct Failure: Error {}
    let tracker = LifetimeTracker()
    let removed = Subject<Tally.Event, Never>()
    let finished = Subject<Tally.Event, Never>()
    let failed = Subject<Tally.Event, Failure>()
    let aggregator = Aggregator(initial: Tally())
    let source = aggregator.add(removed.map { [object = tracker.make()] in (object, $0).1 })
    aggregator.add(finished.map { [object = tracker.make()] in (object, $0).1 })
    aggregator.add(failed.map { [object = tracker.make()] in (object, $0).1 })
    #expect(tracker.liveCount == 3)

    aggregator.remove(source: source)
    finished.finish()
    failed.fail(Failure())

    #expect(tracker.liveCount == 0)
  }

  @Test("AGG-14: two aggregators of the same types share nothing, not even the names of sources")
  func nothingShared() {
    let subject = Subject<Tally.Event, Never>()
    let selector = StateSelector { (state: Tally) in state.count }
    let combined = StateSelector(combining: selector) { $0 * 2 }
    let one = Aggregator(initial: Tally())
    let two = Aggregator(initial: Tally(count: 100))
    let source = one.add(subject.observable)
    two.add(subject.observable)
    let first = Recorder(one.select(combined).observable)
    let second = Recorder(two.select(combined).observable)

    #expect(!two.remove(source: source))
    subject.send(.add(1))
    #expect(one.remove(source: source))
    subject.send(.add(1))
    one.finish()
    subject.send(.add(1))

    #expect(first.values == [0, 2])
    #expect(second.values == [200, 202, 204, 206])
    #expect(first.ends == [.finished])
    #expect(second.ends.isEmpty)
  }
}
