import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("What operators release")
struct ReleaseTests {
  enum Way: String, CaseIterable, Sendable {
    case cancel, release, finish, fail, cancelInside, releaseSubject
  }

  @Test(
    "CAN-08: every operator releases closures, state and upstream",
    arguments: Operator.all,
    Way.allCases
  )
  func everything(_ subjectOfTest: Operator, _ way: Way) {
    let tracker = LifetimeTracker()
    let subject = Box(Subject<Int, TestError>())
    let token = Box<Subscription>()
    let keepCount = subject.value?.observable
    do {
      let inClosures = tracker.make()
      let inObserver = tracker.make()
      let stream = subjectOfTest.apply(to: subject.value?.observable ?? Operator.just(0)) { _ = inClosures }
      token.value = stream.subscribe { [weak token] _ in
        _ = inObserver
        if way == .cancelInside { token?.value?.cancel() }
      } onEnd: { _ in
        _ = inObserver
      }
    }
    subject.value?.send(1)
    switch way {
    case .cancel: token.value?.cancel()
    case .release: token.value = nil
    case .finish: subject.value?.finish()
    case .fail: subject.value?.fail(TestError())
    case .cancelInside: #expect(token.value?.isActive == false)
    case .releaseSubject: subject.value = nil
    }
    #expect(tracker.liveCount == 0)
    #expect(subject.value?.observerCount ?? 0 == 0)
    _ = keepCount
  }

  @Test("An operator that throws releases everything, too")
  func throwing() {
    let tracker = LifetimeTracker()
    let subject = Subject<Int, TestError>()
    let subscription: Subscription
    do {
      let object = tracker.make()
      subscription = subject.map { _ throws(TestError) -> Int in
        _ = object
        throw TestError()
      }
      .subscribe { _ in _ = object }
    }
    #expect(tracker.liveCount == 1)
    subject.send(1)
    #expect(tracker.liveCount == 0)
    #expect(!subscription.isActive)
  }

  @Test("Values are not kept: not by subjects without replay, operators or queues", arguments: Operator.all)
  func values(_ subjectOfTest: Operator) {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, TestError>()
    let passed = Counter()
    // The operators carry numbers; the object rides in front of them and in merges of its own.
    let stream = Observable.merge(subject.observable, subject.observable).scan(0) { count, _ in count + 1 }
    let subscription = subjectOfTest.apply(to: stream).subscribe { _ in
      // Once from inside, so that it goes through the line.
      if passed.increment() < 4 { subject.send(tracker.make()) }
    }
    subject.send(tracker.make())
    #expect(tracker.liveCount == 0)
    #expect(passed.value > 4)
    subscription.cancel()
  }

  @Test("A chain of two thousand operators works and is released without trouble")
  func deepChain() {
    let subject = Subject<Int, Never>()
    var stream = subject.observable
    for _ in 0..<2_000 { stream = stream.map { $0 + 1 } }
    let recorder = Recorder(stream)
    subject.send(0)
    #expect(recorder.values == [2_000])
    recorder.cancel()
    #expect(subject.observerCount == 0)
  }

  @Test("Three hundred nested merges and switches work and are released without trouble")
  func deepNodes() {
    let subject = Subject<Int, Never>()
    var stream = subject.observable
    for depth in 0..<300 {
      if depth.isMultiple(of: 2) {
        stream = .merge(stream, Observable([]))
      } else {
        stream = Observable([stream]).switchToLatest()
      }
    }
    let recorder = Recorder(stream)
    subject.send(7)
    #expect(recorder.values == [7])
    subject.finish()
    #expect(recorder.ends == [.finished])
    #expect(subject.observerCount == 0)
  }
}
