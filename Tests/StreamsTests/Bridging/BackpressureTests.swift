import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Backpressure")
struct BackpressureTests {
  /// A merge whose delivery of -1 is held open until a flag is raised; the sequence's values wait in line behind it.
  private struct HeldMerge: Sendable {
    let sequence = CountedSequence(limit: 100)
    let subject = Subject<Int, Never>()
    let held = Flag()
    let go = Flag()
    let values = Log<Int>()
    let ended = Flag()
  }

  @Test("Rule 12: while a delivery is held open the sequence is not read ahead")
  func notReadAhead() async {
    let merge = HeldMerge()
    // The delivery is open before the sequence is there to be read.
    let gate = Subject<Observable<Int, Never>, Never>()
    let subscription = gate.merge().subscribe { value in
      merge.values.note(value)
      guard value == -1 else { return }
      merge.held.raise()
      _ = merge.go.wait()
    } onEnd: { _ in
      merge.ended.raise()
    }
    gate.send(merge.subject.observable)
    async let sender: Void = onThread { merge.subject.send(-1) }
    _ = await eventually { merge.held.isRaised }
    gate.send(Observable(merge.sequence))
    #expect(await eventually { merge.sequence.reads.value >= 1 })
    for _ in 0..<2_000 { await Task.yield() }
    #expect(merge.sequence.reads.value == 1, "the first value still waits in line")
    #expect(merge.values.entries == [-1])
    merge.go.raise()
    await sender
    merge.subject.finish()
    gate.finish()
    #expect(await eventually { merge.ended.isRaised })
    #expect(merge.values.entries == [-1] + Array(0..<100))
    #expect(merge.sequence.reads.value == 101)
    subscription.cancel()
  }

  @Test("Rule 12: a switch holds the sequence back, too")
  func switchHoldsBack() async {
    let sequence = CountedSequence(limit: 10)
    let outer = Subject<Observable<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let held = Flag()
    let go = Flag()
    let values = Log<Int>()
    let ended = Flag()
    let subscription = outer.switchToLatest().subscribe { value in
      values.note(value)
      guard value == -1 else { return }
      held.raise()
      _ = go.wait()
    } onEnd: { _ in
      ended.raise()
    }
    outer.send(first.observable)
    async let sender: Void = onThread { first.send(-1) }
    _ = await eventually { held.isRaised }
    outer.send(Observable(sequence))
    #expect(await eventually { sequence.reads.value >= 1 })
    for _ in 0..<2_000 { await Task.yield() }
    #expect(sequence.reads.value == 1)
    go.raise()
    outer.finish()
    await sender
    #expect(await eventually { ended.isRaised })
    #expect(values.entries == [-1] + Array(0..<10))
    subscription.cancel()
  }

  @Test(
    "BR-13: the reading task that waits wakes when the subscription is cancelled, and reads no more"
  )
  func wakesOnCancel() async {
    let tracker = LifetimeTracker()
    let merge = HeldMerge()
    let sequence = WatchedSequence(tracker: tracker)
    let gate = Subject<Observable<Int, Never>, Never>()
    let subscription = gate.merge().subscribe { value in
      guard value == -1 else { return }
      merge.held.raise()
      _ = merge.go.wait()
    }
    gate.send(merge.subject.observable)
    async let sender: Void = onThread { merge.subject.send(-1) }
    _ = await eventually { merge.held.isRaised }
    gate.send(Observable(sequence))
    #expect(await eventually { sequence.reads.value >= 1 })
    for _ in 0..<100 { await Task.yield() }
    subscription.cancel()
    merge.go.raise()
    await sender
    // The iterator goes when the task is done.
    #expect(await eventually { tracker.liveCount == 0 })
    #expect(sequence.reads.value <= 2)
  }

  @Test("BR-13: it wakes when its only consumer goes away")
  func wakesWhenConsumerGoes() async {
    let tracker = LifetimeTracker()
    let sequence = WatchedSequence(tracker: tracker)
    do {
      var iterator = Observable.merge(Observable(sequence)).values(buffering: .newest(1)).makeAsyncIterator()
      _ = await iterator.next()
    }
    #expect(await eventually { tracker.liveCount == 0 })
  }
}

/// A long sequence whose iterator is tracked: it goes when the reading task is done.
private struct WatchedSequence: AsyncSequence, Sendable {
  let tracker: LifetimeTracker
  let reads = Counter()

  struct AsyncIterator: AsyncIteratorProtocol {
    let object: LifetimeTracker.Object
    let reads: Counter

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      let read = reads.increment()
      return read < 100_000 ? read : nil
    }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  typealias Failure = Never

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(object: tracker.make(), reads: reads)
  }
}
