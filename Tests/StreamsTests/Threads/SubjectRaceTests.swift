import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Concurrent senders")
struct SubjectRaceTests {
  @Test("THR-01: concurrent sends are serialised: callbacks never overlap and nothing is lost")
  func serialised() async {
    let subject = Subject<Int, Never>()
    let inside = Counter()
    let overlaps = Counter()
    let values = Log<Int>()
    let token = subject.subscribe { value in
      if inside.increment() != 1 { overlaps.increment() }
      values.note(value)
      inside.decrement()
    }
    let count = rounds(40_000)
    await Threads.run(count: 4) { thread in
      for index in 0..<count { subject.send(thread * count + index) }
    }
    #expect(await eventually { values.count >= 4 * count })
    #expect(overlaps.value == 0)
    #expect(values.count == 4 * count)
    for thread in 0..<4 {
      let own = values.entries.filter { $0 / count == thread }
      #expect(own == (0..<count).map { thread * count + $0 }, "the order of each sender is kept")
    }
    token.cancel()
  }

  @Test(
    "THR-02: the value delivered last is the one stored last, for every subscriber, and all see one sequence"
  )
  func sameLast() async {
    for _ in 0..<rounds(1_500) {
      let subject = Subject<Int, Never>(initial: -1)
      let recorders = (0..<3).map { _ in Recorder(subject.observable) }
      await Threads.run(count: 2) { thread in
        for index in 0..<50 { subject.send(thread * 50 + index) }
      }
      let sequence = recorders.first?.values ?? []
      #expect(sequence.count == 101)
      for recorder in recorders { #expect(recorder.values == sequence) }
      #expect(subject.latest == sequence.last)
      #expect(Recorder(subject.observable).values == sequence.suffix(1))
    }
  }

  @Test("THR-02: no observer sees a step back: a value read in a callback is never newer than the next value")
  func monotonic() async {
    let subject = Subject<Int, Never>(initial: 0)
    let next = Counter()
    let stepsBack = Counter()
    let newest = Counter()
    let lock = Lock(())
    let count = rounds(40_000)
    let token = subject.subscribe { value in
      if subject.latest != value { stepsBack.increment() }
      if value <= newest.value, value != 0 { stepsBack.increment() }
      newest.increment(by: value - newest.value)
    }
    await Threads.run(count: 2) { _ in
      for _ in 0..<count { lock.withLock { _ in _ = subject.send(next.increment()) } }
    }
    #expect(stepsBack.value == 0)
    #expect(newest.value == 2 * count)
    token.cancel()
  }

  @Test(
    "Subscribing while others send: the newcomer sees the current value and everything after it, in order"
  )
  func subscribeWhileSending() async {
    for _ in 0..<rounds(2_000) {
      let subject = Subject<Int, Never>(initial: 0)
      let newcomers = Log<Recorder<Int, Never>>()
      await Threads.run(
        { for value in 1...100 { subject.send(value) } },
        { for _ in 0..<5 { newcomers.note(Recorder(subject.observable)) } }
      )
      for newcomer in newcomers.entries {
        let values = newcomer.values
        #expect(values == Array((values.first ?? 0)...100))
      }
    }
  }

  @Test("Finishing against sending: what was accepted is delivered before the end, and the end comes once")
  func finishRace() async {
    for _ in 0..<rounds(4_000) {
      let subject = Subject<Int, TestError>()
      let recorder = Recorder(subject.observable)
      let accepted = Counter()
      let ended = Counter()
      await Threads.run(
        { for value in 0..<30 where subject.send(value) { accepted.increment() } },
        { for value in 0..<30 where subject.send(value) { accepted.increment() } },
        { if subject.finish() { ended.increment() } },
        { if subject.fail(TestError()) { ended.increment() } }
      )
      #expect(recorder.values.count == accepted.value)
      #expect(recorder.ends.count == 1)
      #expect(ended.value == 1)
      #expect(subject.observerCount == 0)
    }
  }

  @Test("Cancelling against finishing: at most one end, and everything is released")
  func cancelAgainstFinish() async {
    let tracker = LifetimeTracker()
    for round in 0..<rounds(20_000) {
      let subject = Subject<Int, TestError>()
      let ends = Counter()
      let token = subject.map { $0 }.subscribe { [object = tracker.make()] _ in
        _ = object
      } onEnd: { _ in
        ends.increment()
      }
      await Threads.run(
        { if round.isMultiple(of: 2) { subject.finish() } else { subject.fail(TestError()) } },
        { token.cancel() }
      )
      #expect(ends.value <= 1)
      #expect(subject.observerCount == 0)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test(
    "Two threads, two subjects, three observers of one merged fold: exact counts, the same last value for all"
  )
  func bounded() async {
    let count = rounds(1_000_000)
    let left = Subject<Int, Never>()
    let right = Subject<Int, Never>()
    let total = Subject<Int, Never>(initial: 0)
    let feed = Observable.merge(left.observable, right.observable)
      .scan(into: 0) { $0 += $1 }
      .subscribe { total.send($0) }
    let lasts = (0..<3).map { _ in Box<Int>() }
    let counts = (0..<3).map { _ in Counter() }
    let bag = SubscriptionBag()
    for index in 0..<3 {
      total.distinctUntilChanged().subscribe { [last = lasts[index], seen = counts[index]] value in
        last.value = value
        seen.increment()
      }
      .store(in: bag)
    }
    await Threads.run(
      { for _ in 0..<count { left.send(1) } },
      { for _ in 0..<count { right.send(1) } }
    )
    #expect(await eventually { counts.allSatisfy { $0.value >= 2 * count + 1 } })
    #expect(total.latest == 2 * count)
    #expect(lasts.map(\.value) == [2 * count, 2 * count, 2 * count])
    #expect(counts.map(\.value) == [2 * count + 1, 2 * count + 1, 2 * count + 1])
    bag.cancel()
    feed.cancel()
  }
}
