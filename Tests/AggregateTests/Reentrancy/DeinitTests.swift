import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Callbacks from deinit")
struct DeinitTests {
  @Test("What the state releases may do anything from its deinit", arguments: 0..<7)
  func deinitInsideApply(what: Int) {
    let tracker = LifetimeTracker()
    let holder = Box(Aggregator(initial: Scripted()))
    guard let aggregator = holder.value else { return }
    let subject = Subject<Scripted.Step, Never>()
    let source = aggregator.add(subject.observable)
    let states = Recorder(aggregator.states.map(\.value))
    let late = Box<Recorder<Int, Never>>()
    let object = Box(
      tracker.make { [weak aggregator] in
        switch what {
        case 0: aggregator?.run { $0.value += 10 }
        case 1: late.value = Recorder(aggregator?.select(\.value).observable ?? Observable([]))
        case 2: states.cancel()
        case 3: aggregator?.finish()
        case 4: _ = aggregator?.snapshot
        case 5: aggregator?.remove(source: source)
        default: holder.take()
        }
      }
    )
    aggregator.run { [value = object.value] state in
      if let value { state.objects.append(value) }
    }
    object.take()
    #expect(tracker.liveCount == 1)

    aggregator.run { state in
      state.objects.removeAll()
      state.value += 1
    }

    #expect(tracker.liveCount == 0)
    #expect(aggregator.snapshot.value == (what == 0 ? 11 : 1))
    #expect(states.values == [[0, 0, 1, 11], [0, 0, 1], [0, 0], [0, 0, 1]][min(what, 3)])
    if what == 1 { #expect(late.value?.values == [1]) }
    if what == 3 { #expect(states.ends == [.finished]) }
    if what == 5 { #expect(subject.observerCount == 0) }
  }

  @Test("A captured object may send and cancel from its deinit, when a subscription is released")
  func deinitOfCapture() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    let second = Recorder(aggregator.select(\.count).observable)
    let token = Box<Subscription>()
    token.value = aggregator.states.subscribe { [object = tracker.make(onRelease: { aggregator.send(.add(10)) })] _ in
      _ = object
    }

    token.take()

    #expect(tracker.liveCount == 0)
    #expect(second.values == [0, 10])
  }
}
