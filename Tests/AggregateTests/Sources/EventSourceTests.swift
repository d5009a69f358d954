import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Event sources that jump")
struct EventSourceTests {
  @Test("A jump before the first subscription counts: a subscriber follows the newest")
  func jumpBeforeSubscription() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let source = EventSource(following: first.observable)
    source.jump(to: second.observable)
    let aggregator = Aggregator(initial: Journal(), sources: source.events)

    first.send(1)
    second.send(2)

    #expect(aggregator.snapshot.entries == [2])
    #expect(first.observerCount == 0)
  }

  @Test("A jump while running releases the old stream first, and follows the new one")
  func jumpWhileRunning() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let source = EventSource(following: first.observable)
    let aggregator = Aggregator(initial: Journal(), sources: source.events)

    first.send(1)
    source.jump(to: second.observable)
    #expect(first.observerCount == 0)
    first.send(2)
    second.send(3)
    source.jump(to: Observable([4, 5]))
    source.jump(to: first.observable)
    first.send(6)

    #expect(aggregator.snapshot.entries == [1, 3, 4, 5, 6])
  }

  @Test("A source that follows nothing yet is silent until its first jump")
  func followsNothing() {
    let source = EventSource<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: source.events)
    #expect(aggregator.snapshot.entries.isEmpty)

    source.jump(to: Observable([1]))

    #expect(aggregator.snapshot.entries == [1])
  }

  @Test("A jump from inside a callback is made, and nothing of the old stream is folded after it")
  func jumpInsideCallback() {
    let first = Subject<Int, Never>()
    let source = EventSource(following: first.observable)
    let aggregator = Aggregator(initial: Journal(), sources: source.events)
    let events = Recorder(aggregator.events) { event in
      guard case .value(1) = event else { return }
      source.jump(to: Observable([10, 11]))
      first.send(2)
    }

    first.send(1)

    #expect(events.values == [1, 10, 11])
    #expect(first.observerCount == 0)
  }

  @Test("A stream that finishes leaves the source open for the next jump")
  func finishedStream() {
    let source = EventSource(following: Observable([1]))
    let aggregator = Aggregator(initial: Journal(), sources: source.events)

    source.jump(to: Observable([2]))

    #expect(aggregator.snapshot.entries == [1, 2])
  }

  @Test("When the source is released, its events finish with the stream they follow")
  func release() {
    let stream = Subject<Int, Never>()
    let holder = Box(EventSource(following: stream.observable))
    guard let events = holder.value?.events else { return }
    let recorder = Recorder(events)

    holder.take()
    #expect(recorder.ends.isEmpty)
    stream.send(1)
    stream.finish()

    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test("Released while it follows nothing, the source finishes at once, for newcomers too")
  func releaseWithoutStream() {
    let holder = Box(EventSource<Int, Never>())
    guard let events = holder.value?.events else { return }
    let early = Recorder(events)

    holder.take()

    #expect(early.ends == [.finished])
    #expect(Recorder(events).ends == [.finished])
  }

  @Test("Released after its stream has finished, the source finishes")
  func releaseAfterStream() {
    let holder = Box(EventSource(following: Observable([1])))
    guard let events = holder.value?.events else { return }
    let recorder = Recorder(events)
    #expect(recorder.ends.isEmpty)

    holder.take()

    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test(
    "AGG-08: a stream that fails is a failure of the source: detached and reported, and a jump is too late"
  )
  func failure() {
    let stream = Subject<Int, TestError>()
    let source = EventSource(following: stream.observable)
    let aggregator = Aggregator(initial: Journal(), sources: source.events)
    let failures = Recorder(aggregator.sourceFailures)

    stream.send(1)
    stream.fail(TestError())
    source.jump(to: Subject<Int, TestError>(initial: 2).observable)

    #expect(aggregator.snapshot.entries == [1])
    #expect(failures.values.count == 1)
    #expect(failures.values.first?.error is TestError)
  }

  @Test("Each subscription follows by itself")
  func twoSubscriptions() {
    let source = EventSource(following: Observable([1, 2]))
    let one = Recorder(source.events)
    let two = Recorder(source.events)
    source.jump(to: Observable([3]))

    #expect(one.values == [1, 2, 3])
    #expect(two.values == [1, 2, 3])
  }

  @Test("A race of jumps ends with exactly one stream followed, the last one, and old streams are released")
  func racingJumps() async {
    for _ in 0..<rounds(5_000) {
      let subjects = (0..<4).map { _ in Subject<Int, Never>() }
      let source = EventSource<Int, Never>()
      let aggregator = Aggregator(initial: Journal(), sources: source.events)
      await Threads.run(count: 2) { index in
        source.jump(to: subjects[index * 2].observable)
        source.jump(to: subjects[index * 2 + 1].observable)
      }
      #expect(subjects.map(\.observerCount).reduce(0, +) == 1)
      #expect(subjects[1].observerCount + subjects[3].observerCount == 1)
      for subject in subjects { subject.send(1) }
      #expect(aggregator.snapshot.entries == [1])
    }
  }
}
