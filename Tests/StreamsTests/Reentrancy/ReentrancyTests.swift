import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Reentrancy")
struct ReentrancyTests {
  @Test("REENT-01: sending from inside a callback neither deadlocks nor traps", arguments: Operator.all)
  func sendInside(_ subjectOfTest: Operator) {
    let subject = Subject<Int, TestError>()
    let recorder = Recorder(subjectOfTest.apply(to: subject.observable)) { event in
      if case .value(let value) = event, value < 5 { subject.send(value + 1) }
    }
    subject.send(1)
    #expect(recorder.values == [1, 2, 3, 4, 5])
  }

  @Test("REENT-01: sending from inside the closures of an operator", arguments: Operator.withClosures)
  func sendInsideClosure(_ subjectOfTest: Operator) {
    let subject = Subject<Int, TestError>()
    let sent = Counter()
    let recorder = Recorder(
      subjectOfTest.apply(to: subject.observable) {
        let next = sent.increment()
        if next < 5 { subject.send(100 + next) }
      }
    )
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [1, 101, 102, 103, 104, 2] || recorder.values == [1, 2, 101, 102, 103, 104])
    #expect(Set(recorder.values).count == recorder.values.count)
  }

  @Test("REENT-02: what is sent inside comes after the current value has reached all subscribers, in one sequence")
  func oneSequence() {
    let subject = Subject<Int, Never>()
    let first = Recorder(subject.observable) { event in
      guard case .value(1) = event else { return }
      subject.send(2)
      subject.send(3)
    }
    let second = Recorder(subject.observable) { event in
      if case .value(1) = event { subject.send(4) }
    }
    let third = Recorder(subject.observable)
    subject.send(1)
    for recorder in [first, second, third] { #expect(recorder.values == [1, 2, 3, 4]) }
  }

  @Test(
    "REENT-02: an end sent inside comes behind the values that were sent before it, and refuses those after"
  )
  func endInside() {
    let subject = Subject<Int, TestError>()
    let accepted = Log<Bool>()
    let first = Recorder(subject.observable) { event in
      guard case .value(1) = event else { return }
      accepted.note(subject.send(2))
      accepted.note(subject.finish())
      accepted.note(subject.send(3))
      accepted.note(subject.fail(TestError()))
    }
    let second = Recorder(subject.observable)
    subject.send(1)
    #expect(accepted.entries == [true, true, false, false])
    for recorder in [first, second] {
      #expect(recorder.values == [1, 2])
      #expect(recorder.ends == [.finished])
    }
  }

  @Test("REENT-04: a subscriber added inside is kept and not called for the round in progress")
  func subscribeInside() {
    let subject = Subject<Int, Never>()
    let added = Box<Recorder<Int, Never>>()
    let first = Recorder(subject.observable) { event in
      if case .value(1) = event { added.value = Recorder(subject.observable) }
    }
    subject.send(1)
    #expect(added.value?.values == [])
    subject.send(2)
    #expect(added.value?.values == [2])
    #expect(first.values == [1, 2])
  }

  @Test("REENT-04: with a current value it gets that once")
  func subscribeInsideWithCurrent() {
    let subject = Subject<Int, Never>(initial: 0)
    let added = Log<Recorder<Int, Never>>()
    let first = Recorder(subject.observable) { event in
      if case .value(1) = event { added.note(Recorder(subject.observable)) }
    }
    let last = Recorder(subject.observable) { event in
      if case .value(1) = event { added.note(Recorder(subject.observable)) }
    }
    subject.send(1)
    #expect(added.entries.map(\.values) == [[1], [1]])
    subject.send(2)
    #expect(added.entries.map(\.values) == [[1, 2], [1, 2]])
    #expect(first.values == [0, 1, 2])
    #expect(last.values == [0, 1, 2])
  }

  @Test("REENT-04: between two values in line the newcomer hears what follows it, and no more")
  func subscribeInLine() {
    let subject = Subject<Int, Never>()
    let added = Box<Recorder<Int, Never>>()
    let first = Recorder(subject.observable) { event in
      guard case .value(1) = event else { return }
      subject.send(2)
      added.value = Recorder(subject.observable)
      subject.send(3)
    }
    subject.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(added.value?.values == [3])
  }

  @Test("REENT-06: the current value read inside a callback is the one being delivered")
  func currentInside() {
    let subject = Subject<Int, Never>(initial: 0)
    let seen = Log<[Int?]>()
    let first = subject.subscribe { value in
      if value == 1 { subject.send(2) }
      seen.note([value, subject.latest])
    }
    let second = subject.subscribe { seen.note([$0, subject.latest]) }
    subject.send(1)
    #expect(seen.entries.allSatisfy { $0.first == $0.last })
    #expect(seen.count == 6)
    first.cancel()
    second.cancel()
  }

  @Test("REENT-07: a hundred thousand events that each cause the next run with constant stack")
  func constantStack() {
    feedBack(100_000) { $0 }
  }

  @Test("REENT-07: through every operator, too", arguments: Operator.all)
  func constantStack(_ subjectOfTest: Operator) {
    feedBack(20_000) { subjectOfTest.apply(to: $0) }
  }

  private func feedBack(_ limit: Int, through shape: (Operator.Stream) -> Operator.Stream) {
    let subject = Subject<Int, TestError>()
    let last = Counter()
    let subscription = shape(subject.observable).subscribe { value in
      last.increment()
      if value < limit { subject.send(value + 1) }
    }
    subject.send(1)
    #expect(last.value == limit)
    subscription.cancel()
  }

  @Test("REENT-07: two subjects that feed each other")
  func pingPong() {
    let ping = Subject<Int, Never>()
    let pong = Subject<Int, Never>()
    let count = Counter()
    let first = ping.subscribe { pong.send($0 + 1) }
    let second = pong.subscribe { value in
      count.increment()
      if value < 100_000 { ping.send(value) }
    }
    ping.send(0)
    #expect(count.value == 100_000)
    first.cancel()
    second.cancel()
  }

  @Test("REENT-07: subscriptions that each cause the next")
  func subscriptionsInside() {
    let subject = Subject<Int, Never>(initial: 0)
    let bag = SubscriptionBag()
    let count = Counter()
    @Sendable func subscribeAgain() {
      guard count.increment() < 20_000 else { return }
      subject.prefix(1).subscribe { _ in subscribeAgain() }.store(in: bag)
    }
    subscribeAgain()
    #expect(count.value == 20_000)
    #expect(subject.observerCount == 0)
  }

  @Test("A producer may send from inside its own callbacks, too")
  func producerInside() {
    let producer = Box<Producer<Int, Never>>()
    let recorder = Recorder(Observable<Int, Never> { producer.value = $0 }) { event in
      guard case .value(let value) = event else { return }
      if value < 50_000 { producer.value?.send(value + 1) } else { producer.value?.finish() }
    }
    producer.value?.send(1)
    #expect(recorder.values.count == 50_000)
    #expect(recorder.ends == [.finished])
  }
}
