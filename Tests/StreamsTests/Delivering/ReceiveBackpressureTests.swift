import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("receive(on:), share and backpressure", .endsInTime)
struct ReceiveBackpressureTests {
  /// Lets everything else run, so that a source that wanted to read ahead would have.
  private func letOthersRun() async {
    for _ in 0..<300 { await Task.yield() }
  }

  @Test("an asynchronous sequence is not read faster than the executor handles its values")
  func receive() async {
    let numbers = CountedSequence(limit: 5)
    let executor = ManualExecutor()
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    let source = Observable(numbers).map { value in
      arrived.yield(value)
      return value
    }
    let recorder = Recorder(source.receive(on: executor))
    var iterator = arrivals.makeAsyncIterator()
    for value in 0..<5 {
      #expect(await iterator.next() == value)
      await letOthersRun()
      #expect(numbers.reads.value == value + 1)
      #expect(recorder.values == Array(0..<value))
      await executor.run()
      #expect(recorder.values == Array(0...value))
    }
    recorder.cancel()
  }

  @Test("a shared asynchronous sequence is not read ahead while one of its subscribers is held up")
  func share() async {
    let numbers = CountedSequence(limit: 5)
    let executor = ManualExecutor()
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    let shared = Observable(numbers).share()
    let held = Recorder(shared.receive(on: executor))
    let quick = Recorder(shared) { event in
      if case .value(let value) = event { arrived.yield(value) }
    }
    var iterator = arrivals.makeAsyncIterator()
    // The first value may have been sent before the second subscriber came.
    while !quick.values.contains(4) {
      guard let value = await iterator.next() else { break }
      await letOthersRun()
      #expect(numbers.reads.value == value + 1)
      #expect(held.values == Array(0..<value))
      await executor.run()
      #expect(held.values == Array(0...value))
    }
    #expect(quick.values.last == 4)
    quick.cancel()
    held.cancel()
  }

  @Test("when the subscriber that is held up leaves, the others go on to the end")
  func heldUpLeaves() async {
    let numbers = CountedSequence(limit: 100)
    let executor = ManualExecutor()
    let ended = Latch()
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    let shared = Observable(numbers).share(replaying: 1)
    let held = Recorder(shared.receive(on: executor))
    let quick = Recorder(shared) { event in
      switch event {
      case .value(let value): arrived.yield(value)
      case .end: ended.open()
      }
    }
    var iterator = arrivals.makeAsyncIterator()
    _ = await iterator.next()
    await letOthersRun()
    #expect(numbers.reads.value == 1)
    held.cancel()
    await ended.wait()
    #expect(quick.values == Array(0..<100))
    await executor.run()
    #expect(held.records.isEmpty)
  }

  @Test("cancelling releases a source that waits for the executor")
  func cancel() async {
    let tracker = LifetimeTracker()
    let gone = Latch()
    let executor = ManualExecutor()
    let (arrivals, arrived) = AsyncStream<Int>.makeStream()
    func subscribe() -> Subscription {
      let numbers = CountedSequence(limit: 100, object: tracker.make { gone.open() })
      return Observable(numbers).map { value in
        arrived.yield(value)
        return value
      }.receive(on: executor).subscribe { _ in }
    }
    let subscription = subscribe()
    var iterator = arrivals.makeAsyncIterator()
    _ = await iterator.next()
    subscription.cancel()
    await executor.run()
    await gone.wait()
    #expect(tracker.liveCount == 0)
  }

  @Test(
    "operators that know time pass the source's question on; a value that waits in them counts as handled",
    arguments: TimedOperator.allCases
  )
  func timed(timed: TimedOperator) async {
    let time = VirtualScheduler()
    let ended = Latch()
    let numbers = CountedSequence(limit: 50)
    let source = Observable(numbers).setFailureType(to: MarbleFailure.self).map { value in
      if value == 49 { ended.open() }
      return value
    }
    let recorder = Recorder(timed.apply(to: source, on: time))
    await ended.wait()
    #expect(numbers.reads.value >= 50)
    recorder.cancel()
  }
}
