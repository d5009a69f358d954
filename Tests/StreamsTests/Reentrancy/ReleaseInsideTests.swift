import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Releasing things inside callbacks")
struct ReleaseInsideTests {
  @Test(
    "A subject that is released in its own callback delivers what it accepted, then finishes",
    arguments: Operator.all
  )
  func subject(_ subjectOfTest: Operator) {
    let subject = Box(Subject<Int, TestError>())
    guard let stream = subject.value?.observable else { return }
    let recorder = Recorder(subjectOfTest.apply(to: stream)) { event in
      guard case .value(1) = event else { return }
      subject.value?.send(2)
      subject.value = nil
    }
    subject.value?.send(1)
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.finished])
  }

  @Test("A producer that is released in its own callback, too")
  func producer() {
    let producer = Box<Producer<Int, Never>>()
    let recorder = Recorder(Observable<Int, Never> { producer.value = $0 }) { event in
      if case .value = event { _ = producer.take() }
    }
    producer.value?.send(1)
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test("The token released in its own callback")
  func token() {
    let subject = Subject<Int, Never>()
    let token = Box<Subscription>()
    let values = Log<Int>()
    token.value = subject.subscribe { value in
      values.note(value)
      _ = token.take()
    }
    subject.send(1)
    subject.send(2)
    #expect(values.entries == [1])
    #expect(subject.observerCount == 0)
  }

  @Test("A deinit that sends, subscribes, cancels and finishes is at home anywhere")
  func deinitOfValue() {
    let tracker = LifetimeTracker()
    let log = Subject<Int, Never>(replaying: 2)
    let carriers = Subject<LifetimeTracker.Object, Never>(replaying: 1)
    let bag = SubscriptionBag()
    let recorder = Recorder(log.observable)
    for number in 0..<20 {
      carriers.send(
        tracker.make {
          log.send(number)
          carriers.subscribe { _ in log.send(-1) }.store(in: bag)
          bag.cancel()
          if number == 19 { log.finish() }
        }
      )
    }
    // Each carrier but the last fell out of the buffer while the next one was being delivered.
    #expect(recorder.values == (0..<19).map(\.self))
    carriers.finish()
    #expect(tracker.liveCount == 1)
  }

  @Test("A deinit of something an observer captured may use the same subject")
  func deinitOfCapture() {
    let tracker = LifetimeTracker()
    let subject = Subject<Int, Never>()
    let recorder = Recorder(subject.observable)
    let token = Box<Subscription>()
    token.value = subject.subscribe { [object = tracker.make { subject.send(9) }] _ in _ = object }
    token.value?.cancel()
    #expect(recorder.values == [9])

    // And in the middle of a round, where the removal waits.
    let late = Box<Subscription>()
    let canceller = subject.subscribe { value in if value == 1 { late.value?.cancel() } }
    late.value = subject.subscribe { [object = tracker.make { subject.send(8) }] _ in _ = object }
    subject.send(1)
    #expect(recorder.values == [9, 1, 8])
    #expect(tracker.liveCount == 0)
    canceller.cancel()
  }

  @Test("A deinit of an error may use the same subject")
  func deinitOfError() {
    final class Cargo: Error {
      let object: LifetimeTracker.Object
      init(_ object: LifetimeTracker.Object) { self.object = object }
    }
    let tracker = LifetimeTracker()
    let heard = Counter()
    let subject = Box(Subject<Int, Cargo>())
    var view = subject.value?.observable
    let token = view?.subscribe({ _ in }, onEnd: { _ in heard.increment() })
    subject.value?.fail(Cargo(tracker.make { [weak subject] in _ = subject?.value?.send(1) }))
    #expect(heard.value == 1)
    subject.value = nil
    view = nil
    #expect(token?.isActive == false)
    #expect(tracker.liveCount == 0, "the stored failure goes with the last view")
  }
}
