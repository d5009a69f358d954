import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// The twelve rules, one by one, each shown on the smallest thing that shows it. The rows of the other suites go into
/// the corners.
@Suite("Contract")
struct ContractTests {
  @Test("Rule 1: grammar: values, then at most one end, and nothing after it or after cancellation")
  func grammar() {
    let hostile = HostileSource<Int, TestError>()
    let ended = Recorder(hostile.map { $0 }.scan(0) { $1 })
    let cancelled = Recorder(hostile.map { $0 }.scan(0) { $1 })
    hostile.send(1)
    cancelled.cancel()
    hostile.end(.failed(TestError(code: 1)))
    hostile.send(2)
    hostile.end(.finished)
    #expect(ended.values == [1])
    #expect(ended.ends == [.failed(TestError(code: 1))])
    #expect(cancelled.values == [1])
    #expect(cancelled.ends.isEmpty)
  }

  @Test("Rule 2: one at a time: deliveries to an observer never overlap, whichever threads send")
  func oneAtATime() async {
    let subjects = (0..<2).map { _ in Subject<Int, Never>() }
    let inside = Counter()
    let overlaps = Counter()
    let total = Counter()
    let token = Observable.merge(subjects.map(\.observable)).subscribe { _ in
      if inside.increment() != 1 { overlaps.increment() }
      total.increment()
      inside.decrement()
    }
    await Threads.run(count: 4) { thread in
      for value in 0..<2_000 { subjects[thread % 2].send(value) }
    }
    #expect(await eventually { total.value >= 8_000 })
    #expect(overlaps.value == 0)
    #expect(total.value == 8_000)
    token.cancel()
  }

  @Test(
    "Rule 3: one order: all observers see the same sequence, called in the order in which they subscribed"
  )
  func oneOrder() async {
    let subject = Subject<Int, Never>()
    let calls = Log<String>()
    let first = Recorder(subject.observable) { event in
      if case .value(let value) = event { calls.note("first \(value)") }
    }
    let second = Recorder(subject.observable) { event in
      guard case .value(let value) = event else { return }
      calls.note("second \(value)")
      if value == 1 { subject.send(2) }
    }
    subject.send(1)
    #expect(calls.entries == ["first 1", "second 1", "first 2", "second 2"])

    await Threads.run(count: 2) { thread in
      for index in 0..<2_000 { subject.send((thread + 1) * 10_000 + index) }
    }
    #expect(await eventually { second.values.count >= 4_002 })
    #expect(first.values.count == 4_002)
    #expect(first.values == second.values)
  }

  @Test(
    "Rule 4: queue and drain: what arrives during a delivery waits, in order, and nothing recurses"
  )
  func queueAndDrain() {
    let subject = Subject<Int, TestError>(initial: 0)
    let newcomer = Box<Recorder<Int, TestError>>()
    let depth = Counter()
    let deepest = Counter()
    let recorder = Recorder(subject.observable) { event in
      if depth.increment() > deepest.value { deepest.increment() }
      if case .value(1) = event {
        subject.send(2)
        newcomer.value = Recorder(subject.observable)
        subject.send(3)
        subject.finish()
      }
      depth.decrement()
    }
    subject.send(1)
    #expect(recorder.values == [0, 1, 2, 3] && recorder.ends == [.finished])
    #expect(newcomer.value?.values == [2, 3] && newcomer.value?.ends == [.finished])
    #expect(deepest.value == 1)
  }

  @Test(
    "Rule 4: from another thread, too: the thread that is delivering delivers it next, and the sender does not wait"
  )
  func queueAndDrainAcrossThreads() async {
    let subject = Subject<Int, Never>()
    let sent = Flag()
    let waited = Log<Bool>()
    let deliverers = Log<UInt>()
    let owner = Box<UInt>()
    let token = subject.subscribe { value in
      deliverers.note(CurrentThread.id)
      if value == 1 { waited.note(sent.wait()) }
    }
    await Threads.run(
      {
        owner.value = CurrentThread.id
        subject.send(1)
      },
      {
        block { deliverers.count > 0 }
        subject.send(2)
        subject.send(3)
        sent.raise()
      }
    )
    #expect(waited.entries == [true])
    #expect(deliverers.count == 3)
    #expect(deliverers.entries.allSatisfy { $0 == owner.value })
    token.cancel()
  }

  @Test("Rule 5: no user code under a lock: a callback may wait for a thread that uses everything meanwhile")
  func noUserCodeUnderALock() async {
    let subject = Subject<Int, Never>(initial: 0)
    let inside = Flag()
    let other = Flag()
    let waits = Log<Bool>()
    await Threads.run(
      {
        let token = Observable.merge(subject.observable, Observable([])).distinctUntilChanged { old, new in
          inside.raise()
          waits.note(other.wait())
          return old == new
        }
        .subscribe { _ in }
        subject.send(1)
        token.cancel()
      },
      {
        _ = inside.wait()
        subject.send(2)
        _ = subject.latest
        subject.subscribe { _ in }.cancel()
        other.raise()
      }
    )
    #expect(!waits.entries.isEmpty && !waits.entries.contains(false))
  }

  @Test("Rule 6: silence after cancel, also for a sibling that is cancelled in the middle of a round")
  func silenceAfterCancel() {
    let subject = Subject<Int, Never>()
    let token = Box<Subscription>()
    let calls = Log<Int>()
    let first = subject.subscribe { value in if value == 2 { token.value?.cancel() } }
    token.value = subject.map { $0 }.subscribe { calls.note($0) }
    for value in 1...3 { subject.send(value) }
    #expect(calls.entries == [1])
    first.cancel()
  }

  @Test(
    "Rule 7: the token owns the subscription: releasing cancels, and releases what the observer captured"
  )
  func tokenOwns() {
    let tracker = LifetimeTracker()
    let subject = Subject<Int, Never>()
    var token: Subscription? = subject.map { $0 }
      .subscribe { [object = tracker.make()] _ in _ = object }
    #expect(token?.isActive == true)
    #expect(tracker.liveCount == 1)
    token = nil
    #expect(tracker.liveCount == 0)
    #expect(subject.observerCount == 0)
  }

  @Test(
    "Rule 8: ends are visible: observers of a producer that goes away are finished, late ones get value and end"
  )
  func endsAreVisible() async {
    let subject = Box(Subject<Int, Never>(initial: 5))
    guard let view = subject.value?.observable else { return }
    let early = Recorder(view)
    subject.value = nil
    #expect(early.ends == [.finished])
    let late = Recorder(view)
    #expect(late.values == [5] && late.ends == [.finished])
    var read: [Int] = []
    for await value in view.values(buffering: .unbounded) { read.append(value) }
    #expect(read == [5])
  }

  @Test("Rule 9: loss is never silent: what a bounded policy drops is counted and can be read")
  func lossIsCounted() async {
    let subject = Subject<Int, Never>()
    let newest = subject.values(buffering: .newest(2))
    let oldest = subject.values(buffering: .oldest(2))
    let unbounded = subject.values(buffering: .unbounded)
    var readers = [newest, oldest, unbounded].map { $0.makeAsyncIterator() }
    for value in 0..<5 { subject.send(value) }
    subject.finish()
    var read: [[Int]] = []
    for index in readers.indices {
      var values: [Int] = []
      while let value = await readers[index].next() { values.append(value) }
      read.append(values)
    }
    #expect(read == [[3, 4], [0, 1], [0, 1, 2, 3, 4]])
    #expect([newest, oldest, unbounded].map(\.droppedCount) == [3, 3, 0])
  }

  @Test(
    "Rule 10: the pull side is tame: cancelling a task ends that one consumer, and slows or ends no other"
  )
  func tamePullSide() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .unbounded)
    var slow = values.makeAsyncIterator()
    let task = Task { () -> Int in
      var count = 0
      for await _ in values { count += 1 }
      return count
    }
    #expect(await eventually { subject.observerCount == 2 })
    subject.send(1)
    task.cancel()
    #expect(await task.value <= 1)
    #expect(subject.observerCount == 1)
    subject.send(2)
    subject.finish()
    #expect(await slow.next() == 1)
    #expect(await slow.next() == 2)
    #expect(await slow.next() == nil)
  }

  @Test(
    "Rule 11: time is injected: virtual time is synchronous, a late timer skips ticks and keeps its phase"
  )
  func injectedTime() {
    let time = VirtualScheduler()
    let recorder = Recorder(.interval(.seconds(10), on: time), on: time) { event in
      if case .value(0) = event { time.advance(by: .seconds(25)) }
    }
    time.advance(by: .seconds(50))
    #expect(recorder.values == [0, 1, 2])
    #expect(recorder.records.map(\.instant) == [10, 40, 50].map(Duration.seconds))
  }

  @Test("Rule 12: backpressure: an asynchronous sequence is not read faster than its values are handled")
  func backpressure() async {
    let sequence = CountedSequence(limit: 20)
    let other = Subject<Int, Never>()
    let inputs = Subject<Observable<Int, Never>, Never>()
    let held = Flag()
    let go = Flag()
    let recorder = Recorder(inputs.merge()) { event in
      guard case .value(-1) = event else { return }
      held.raise()
      _ = go.wait()
    }
    inputs.send(other.observable)
    async let sender: Void = onThread { other.send(-1) }
    #expect(await eventually { held.isRaised })
    // The delivery of -1 is held open, so what the sequence gives has to wait.
    inputs.send(Observable(sequence))
    #expect(await eventually { sequence.reads.value >= 1 })
    for _ in 0..<1_000 { await Task.yield() }
    #expect(sequence.reads.value == 1)
    go.raise()
    await sender
    other.finish()
    inputs.finish()
    #expect(await eventually { recorder.end != nil })
    #expect(recorder.values == [-1] + Array(0..<20))
  }
}
