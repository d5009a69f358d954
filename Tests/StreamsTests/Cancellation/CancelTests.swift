import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Cancelling")
struct CancelTests {
  @Test("CAN-01: the teardown runs once, however often and from whatever thread")
  func idempotent() async {
    for _ in 0..<rounds(3_000) {
      let teardowns = Counter()
      let token = Subscription { teardowns.increment() }
      await Threads.run(count: 3) { _ in
        token.cancel()
        token.cancel()
      }
      #expect(teardowns.value == 1)
      #expect(!token.isActive)
    }
  }

  @Test("CAN-01: cancelling from inside the teardown does nothing more")
  func teardownCancels() {
    let teardowns = Counter()
    let box = Box<Subscription>()
    let stream = Observable<Int, Never> { producer in
      producer.onTermination {
        teardowns.increment()
        box.value?.cancel()
        producer.finish()
        producer.send(1)
      }
    }
    let values = Log<Int>()
    box.value = stream.subscribe({ values.note($0) }, onEnd: { _ in values.note(-1) })
    box.value?.cancel()
    #expect(teardowns.value == 1)
    #expect(values.count == 0)
  }

  @Test("CAN-02: dropping the token cancels; keeping it going without one takes an explicit call")
  func dropping() {
    let subject = Subject<Int, Never>()
    let values = Log<Int>()
    var token: Subscription? = subject.subscribe { values.note($0) }
    subject.send(1)
    #expect(token?.isActive == true)
    token = nil
    subject.send(2)
    #expect(values.entries == [1])
    #expect(subject.observerCount == 0)

    _ = subject.subscribe { values.note($0) }
    subject.send(3)
    #expect(values.entries == [1], "a token that is not kept")

    subject.subscribe { values.note($0) }.detach()
    subject.send(4)
    #expect(values.entries == [1, 4])
    subject.finish()
    #expect(subject.observerCount == 0)
  }

  @Test("CAN-02: a detached token can still be cancelled")
  func detached() {
    let subject = Subject<Int, Never>()
    let values = Log<Int>()
    let token = subject.subscribe { values.note($0) }
    token.detach()
    token.detach()
    token.cancel()
    subject.send(1)
    #expect(values.count == 0)
    #expect(subject.observerCount == 0)
  }

  @Test("CAN-03: cancel does not wait for a callback that runs elsewhere, and no new one starts afterwards")
  func doesNotWait() async {
    let subject = Subject<Int, Never>()
    let cancelled = Flag()
    let values = Log<Int>()
    let returnedInTime = Log<Bool>()
    let token = subject.subscribe { value in
      values.note(value)
      returnedInTime.note(cancelled.wait())
    }
    await Threads.run(
      {
        subject.send(1)
      },
      {
        block { values.count > 0 }
        token.cancel()
        subject.send(2)
        cancelled.raise()
      }
    )
    #expect(returnedInTime.entries == [true])
    #expect(values.entries == [1])
  }

  @Test("CAN-03: a callback never starts after cancel has returned, whichever thread sends meanwhile")
  func silence() async {
    for round in 0..<rounds(4_000) {
      let subject = Subject<Int, Never>(replaying: round % 2)
      let values = Log<Int>()
      let afterwards = Box<Int>()
      let token = subject.map { $0 }.subscribe { values.note($0) }
      let running = Flag()
      await Threads.run(
        {
          for value in 0..<60 {
            subject.send(value)
            if value == 5 { running.raise() }
          }
        },
        {
          _ = running.wait()
          token.cancel()
          // A callback that was running may still finish; after a delivery of our own, it has.
          let fence = Flag()
          let probe = subject.subscribe { _ in fence.raise() }
          subject.send(-1)
          _ = fence.wait()
          afterwards.value = values.count
          probe.cancel()
          for value in 0..<20 { subject.send(value) }
        }
      )
      #expect(values.count == afterwards.value)
    }
  }

  @Test(
    "CAN-04: cancelling from inside one's own callback stops the burst and releases upstream",
    arguments: Operator.all
  )
  func inside(_ subjectOfTest: Operator) {
    let subject = Subject<Int, TestError>()
    let recorder = Box<Recorder<Int, TestError>>()
    recorder.value = Recorder(subjectOfTest.apply(to: subject.observable)) { event in
      guard case .value(1) = event else { return }
      subject.send(2)
      subject.send(3)
      recorder.value?.cancel()
      subject.send(4)
    }
    subject.send(1)
    #expect(recorder.value?.values == [1])
    #expect(recorder.value?.ends.isEmpty == true)
    #expect(subject.observerCount == 0)
    recorder.value = nil
  }

  @Test("CAN-04: cancelling stops a synchronous source at that element")
  func synchronousBurst() {
    let reads = Log<Int>()
    let token = Box<Subscription>()
    let start = Subject<Void, Never>()
    let values = Log<Int>()
    let numbers = Observable(
      sequence(first: 0) { last in
        reads.note(last)
        return last + 1
      }
    )
    token.value = start.map { numbers }.merge().subscribe { value in
      values.note(value)
      if value == 3 { token.value?.cancel() }
    }
    start.send(())
    #expect(values.entries == [0, 1, 2, 3])
    #expect(reads.count <= 4)
  }

  @Test("CAN-11: when the last producer handle goes, subscribers are told", arguments: Operator.all)
  func lastProducer(_ subjectOfTest: Operator) {
    var subject: Subject<Int, TestError>? = Subject(initial: 1)
    let recorder = subject.map { Recorder(subjectOfTest.apply(to: $0.observable)) }
    subject = nil
    #expect(recorder?.values == [1])
    #expect(recorder?.ends == [.finished])
  }

  @Test("CAN-11: a for await loop ends when the subject goes")
  func lastProducerAsync() async {
    let subject = Box(Subject<Int, Never>(initial: 1))
    guard let values = subject.value?.values(buffering: .unbounded) else { return }
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if value == 1 { subject.value = nil }
    }
    #expect(seen == [1])
  }

  @Test("CAN-13: cancellation is not completion: no end is heard, the teardown runs exactly once")
  func notCompletion() {
    let teardowns = Counter()
    let ends = Counter()
    let producers = Log<Producer<Int, TestError>>()
    let stream = Observable<Int, TestError> { producer in
      producers.note(producer)
      producer.onTermination { teardowns.increment() }
    }
    let cancelled = stream.subscribe({ _ in }, onEnd: { _ in ends.increment() })
    cancelled.cancel()
    #expect(teardowns.value == 1 && ends.value == 0)
    producers.last?.finish()
    #expect(teardowns.value == 1 && ends.value == 0)

    let finished = stream.subscribe({ _ in }, onEnd: { _ in ends.increment() })
    producers.last?.finish()
    #expect(teardowns.value == 2 && ends.value == 1)
    finished.cancel()
    #expect(teardowns.value == 2 && ends.value == 1)
  }

  @Test("Upstream is released before the observer gets the end")
  func endOrder() {
    let order = Log<String>()
    let producer = Box<Producer<Int, Never>>()
    let token = Observable<Int, Never> {
      producer.value = $0
      $0.onTermination { order.note("teardown") }
    }
    .subscribe({ _ in }, onEnd: { _ in order.note("end") })
    producer.value?.finish()
    #expect(order.entries == ["teardown", "end"])
    #expect(!token.isActive)
  }
}
