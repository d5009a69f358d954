import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("receive(on:), step by step", .endsInTime)
struct ReceiveTests {
  private let executor = ManualExecutor()
  private let subject = Subject<Int, MarbleFailure>()

  @Test("values and the end arrive when the executor has time, in order, the end behind the values")
  func order() async {
    for finishes in [true, false] {
      let subject = Subject<Int, MarbleFailure>()
      let recorder = Recorder(subject.receive(on: executor))
      for value in 0..<200 { subject.send(value) }
      if finishes { subject.finish() } else { subject.fail(MarbleFailure()) }
      #expect(recorder.records.isEmpty)
      await executor.runOne()
      #expect(recorder.values.count == 64, "a burst is one visit, and does not take all the time there is")
      await executor.run(until: { recorder.end != nil })
      #expect(recorder.values == Array(0..<200))
      #expect(recorder.ends == [finishes ? .finished : .failed(MarbleFailure())])
    }
  }

  @Test("an executor that fell idle is asked again")
  func idle() async {
    let recorder = Recorder(subject.receive(on: executor))
    for value in 0..<10 {
      subject.send(value)
      await executor.run()
      #expect(recorder.values.last == value)
      #expect(executor.jobCount == 0)
    }
  }

  @Test("CAN-12: work already queued on an executor is dropped, and released, once its subscription is cancelled")
  func cancel() async {
    let tracker = LifetimeTracker()
    let objects = Subject<LifetimeTracker.Object, Never>()
    let seen = Lock(0)
    let subscription = objects.receive(on: executor).subscribe { _ in seen.withLock { $0 += 1 } }
    objects.send(tracker.make())
    await executor.run()
    #expect(seen.withLock { $0 } == 1)
    for _ in 0..<3 { objects.send(tracker.make()) }
    #expect(tracker.liveCount == 3)
    subscription.cancel()
    #expect(tracker.liveCount == 0)
    await executor.run()
    #expect(seen.withLock { $0 } == 1)
    #expect(objects.observerCount == 0)
  }

  @Test("CAN-12: cancelling inside a delivery drops the rest of the line, the end too")
  func cancelInside() async {
    let recorder = Recorder(subject.receive(on: executor).prefix(2))
    for value in 0..<5 { subject.send(value) }
    subject.fail(MarbleFailure())
    await executor.run()
    #expect(recorder.values == [0, 1])
    #expect(recorder.ends == [.finished])
  }

  @Test("a subscription that was cancelled while the executor was busy delivers nothing it is sent later")
  func sendAfterCancel() async {
    let source = HostileSource<Int, MarbleFailure>()
    let recorder = Recorder(source.receive(on: executor))
    source.send(1)
    recorder.cancel()
    source.send(2)
    source.end(.finished)
    await executor.run()
    #expect(recorder.records.isEmpty)
    #expect(executor.jobCount == 0)
  }

  @Test("a source that breaks the grammar is seen as a well-formed stream")
  func hostile() async {
    let source = HostileSource<Int, MarbleFailure>()
    let recorder = Recorder(source.receive(on: executor))
    source.send(1)
    source.end(.finished)
    source.send(2)
    source.end(.failed(MarbleFailure()))
    await executor.run()
    source.send(3)
    source.end(.finished)
    #expect(executor.jobCount == 0)
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test("a burst lets others in: no visit delivers it all")
  func fairness() async {
    let recorder = Recorder(subject.receive(on: executor))
    for value in 0..<1_000 { subject.send(value) }
    var visits = 0
    var largest = 0
    while recorder.values.count < 1_000, visits < 1_000 {
      let before = recorder.values.count
      await executor.runOne()
      visits += 1
      largest = max(largest, recorder.values.count - before)
    }
    #expect(recorder.values == Array(0..<1_000))
    #expect(largest <= 64)
    #expect(visits >= 1_000 / 64)
  }

  @Test("a callback may send: what it sends comes after what waits, with constant stack")
  func reentrancy() async {
    let handled = Lock(0)
    let recorder = Recorder(subject.receive(on: executor)) { [subject] event in
      handled.withLock { $0 += 1 }
      if case .value(let value) = event, value < 100_000 { subject.send(value + 1) }
    }
    subject.send(0)
    await executor.run(until: { handled.withLock { $0 } == 100_001 })
    #expect(recorder.values.count == 100_001)
    #expect(recorder.values.last == 100_000)
  }

  @Test("two deliveries in a row, with an operator between them")
  func chain() async {
    let second = ManualExecutor()
    let log = SubscriptionLog()
    let recorder = Recorder(
      subject.receive(on: executor).recordingSubscriptions(in: log).map { $0 * 2 }.receive(on: second)
    )
    for value in 0..<100 { subject.send(value) }
    subject.finish()
    #expect(second.jobCount == 0)
    await executor.run(until: { log.spans.first?.outcome == .ended })
    #expect(recorder.records.isEmpty)
    await second.run(until: { recorder.end != nil })
    #expect(recorder.values == (0..<100).map { $0 * 2 })
    #expect(recorder.ends == [.finished])
  }

  @Test("nothing is kept: after cancelling, after the end", arguments: [true, false])
  func leak(cancels: Bool) async {
    let tracker = LifetimeTracker()
    let subscription = subject.map { [mine = tracker.make()] value in
      _ = mine
      return value
    }.receive(on: executor).subscribe { [mine = tracker.make()] _ in
      _ = mine
    }
    for value in 0..<3 { subject.send(value) }
    if cancels { subscription.cancel() } else { subject.finish() }
    await executor.run()
    #expect(tracker.liveCount == 0)
  }

  @Test("each subscription has a line of its own; one that is cancelled does not hold up another")
  func independence() async {
    let stream = subject.receive(on: executor)
    let first = Recorder(stream)
    let second = Recorder(stream)
    subject.send(1)
    first.cancel()
    // Each line has a visit of its own.
    for _ in 0..<2 { await executor.runOne() }
    #expect(first.values == [])
    #expect(second.values == [1])
  }
}
