import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Feedback")
struct FeedbackTests {
  @Test(
    "A selection of an aggregator can be one of its sources; that is no recursion, and keeps nothing alive"
  )
  func ownSelectionAsSource() {
    let tracker = LifetimeTracker()
    let holder = Box(Aggregator(initial: Scripted(objects: [tracker.make()])))
    guard let value = holder.value?.select(\.value).observable else { return }
    let recorder = Recorder(value)

    holder.value?.add(
      value.filter { $0 < 20_000 }.map { _ in Scripted.Step { $0.value += 1 } }
    )
    #expect(recorder.values == Array(0...20_000))

    holder.take()
    #expect(recorder.ends == [.finished])
  }

  @Test("Nothing is left of an aggregator that fed itself")
  func nothingLeft() {
    let tracker = LifetimeTracker()
    let holder = Box(Aggregator(initial: Scripted(objects: [tracker.make()])))
    holder.value?.add(
      holder.value?.select(\.value).filter { $0 < 3 }.map { _ in Scripted.Step { $0.value += 1 } }
        ?? Observable([])
    )
    #expect(holder.value?.snapshot.value == 3)

    holder.take()

    #expect(tracker.liveCount == 0)
  }

  @Test("Two domains that feed each other fold everything, and are released one by one")
  func twoDomains() {
    let tracker = LifetimeTracker()
    let one = Box(Aggregator(initial: Scripted(objects: [tracker.make()])))
    let two = Box(Aggregator(initial: Scripted(objects: [tracker.make()])))
    let increment = Scripted.Step { $0.value += 1 }
    let follow: @Sendable (Aggregator<Scripted>?) -> Observable<Scripted.Step, Never> = { aggregator in
      aggregator?.select(\.value).filter { $0 < 1000 }.map { _ in increment } ?? Observable([])
    }
    one.value?.add(follow(two.value))
    two.value?.add(follow(one.value))
    #expect(one.value?.snapshot.value ?? 0 >= 999)
    #expect(two.value?.snapshot.value ?? 0 >= 999)

    one.take()
    #expect(tracker.liveCount == 1)
    #expect(two.value?.run { $0.value = 0 } == true)

    two.take()
    #expect(tracker.liveCount == 0)
  }

  @Test("A comparison of one's own may send, subscribe and cancel")
  func reentrantComparison() {
    let aggregator = Aggregator(initial: Tally())
    let late = Box<Recorder<Tally, Never>>()
    let other = Recorder(aggregator.states)
    let names = Recorder(
      aggregator.select(\.name) { old, new in
        if new == "a", late.value == nil {
          late.value = Recorder(aggregator.states)
          other.cancel()
          aggregator.send(.rename("b"))
        }
        return old == new
      }.observable
    )

    aggregator.send(.rename("a"))

    #expect(names.values == ["", "a", "b"])
    #expect(late.value?.values.map(\.name) == ["a", "b"])
    #expect(other.values.map(\.name) == [""])
  }
}
