import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("merge")
struct MergeTests {
  @Test("S-MERGE-01: merging no sources completes at once, without a value")
  func empty() {
    let variadic = Recorder(Observable<Int, TestError>.merge())
    let list = Recorder(Observable<Int, TestError>.merge([]))
    #expect(variadic.values.isEmpty && variadic.ends == [.finished])
    #expect(list.values.isEmpty && list.ends == [.finished])
  }

  @Test("S-MERGE-02: only the last completion ends the merge")
  func lastCompletion() {
    let first = Subject<Int, TestError>()
    let second = Subject<Int, TestError>()
    let done = Observable<Int, Never>([]).setFailureType(to: TestError.self)
    let recorder = Recorder(.merge(done, first.observable, done, second.observable))
    #expect(recorder.ends.isEmpty)
    first.send(1)
    first.finish()
    second.send(2)
    #expect(recorder.ends.isEmpty)
    second.finish()
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.finished])
  }

  @Test("S-MERGE-02: sources that have all finished before the merge end it once, behind their values")
  func allFinished() {
    let ended = Subject<Int, Never>(initial: 7)
    ended.finish()
    let recorder = Recorder(.merge(Observable([1, 2]), ended.observable, Observable([])))
    #expect(recorder.values == [1, 2, 7])
    #expect(recorder.ends == [.finished])
  }

  @Test("S-MERGE-03: values ready at once come in the order of the sources, and each source keeps its order")
  func order() {
    let time = VirtualScheduler()
    let streams = (0..<5).map { source in
      Observable<Int, Never>.interval(.seconds(1), on: time).map { source * 100 + $0 }
    }
    let recorder = Recorder(Observable.merge(streams), on: time)
    time.advance(by: .seconds(3))
    #expect(recorder.values == (0..<3).flatMap { tick in (0..<5).map { $0 * 100 + tick } })

    let ready = Recorder(.merge(Observable([1, 2]), Observable([3]), Observable([4, 5])))
    #expect(ready.values == [1, 2, 3, 4, 5])
  }

  @Test(
    "S-MERGE-04: a failure comes once, behind what was sent, and unsubscribes the siblings at that instant"
  )
  func failFast() {
    let start = Subject<Int, TestError>()
    let bad = Subject<Int, TestError>()
    let good = Subject<Int, TestError>()
    let countAtFailure = Box<Int>()
    let recorder = Recorder(.merge(start.observable, bad.observable, good.observable)) { event in
      guard case .value(1) = event else { return }
      // The delivery of 1 is under way: what follows waits in line.
      good.send(2)
      bad.send(3)
      bad.fail(TestError(code: 1))
      countAtFailure.value = good.observerCount
      good.send(4)
    }
    start.send(1)
    #expect(countAtFailure.value == 0)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.ends == [.failed(TestError(code: 1))])
    #expect(start.observerCount == 0)
    #expect(!bad.send(5))
    good.fail(TestError(code: 2))
    #expect(recorder.ends.count == 1)
  }

  @Test("S-MERGE-04: sources behind one that fails while subscribing are never subscribed to")
  func failureDuringAttach() {
    let failed = Subject<Int, TestError>()
    failed.fail(TestError())
    let log = SubscriptionLog()
    let later = Subject<Int, TestError>()
    let recorder = Recorder(.merge(failed.observable, later.observable.recordingSubscriptions(in: log)))
    #expect(log.count == 0)
    #expect(recorder.ends == [.failed(TestError())])
  }

  @Test("Cancelling in the middle of subscribing leaves the remaining sources alone")
  func cancelDuringAttach() {
    let log = SubscriptionLog()
    let second = Subject<Int, Never>()
    let recorder = Recorder(
      .merge(Observable([1, 2, 3]), second.observable.recordingSubscriptions(in: log)).prefix(2)
    )
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.finished])
    #expect(log.count == 0)
    #expect(second.observerCount == 0)
  }

  @Test("merge(with:) is the same merge")
  func mergeWith() {
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let third = Subject<Int, Never>()
    let recorder = Recorder(first.merge(with: second.observable, third.observable))
    third.send(3)
    first.send(1)
    second.send(2)
    #expect(recorder.values == [3, 1, 2])
  }

  @Test("One stream merged with itself is subscribed to twice")
  func twice() {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(.merge(subject.observable, subject.observable))
    #expect(subject.observerCount == 2)
    subject.send(1)
    subject.finish()
    #expect(recorder.values == [1, 1])
    #expect(recorder.ends == [.finished])
  }

  @Test("A merge of a thousand sources is one node, ends with the last of them and releases each")
  func wide() {
    let subjects = (0..<1_000).map { _ in Subject<Int, Never>() }
    let recorder = Recorder(Observable.merge(subjects.map(\.observable)))
    for (index, subject) in subjects.enumerated() { subject.send(index) }
    #expect(recorder.values == Array(0..<1_000))
    for subject in subjects.dropLast() { subject.finish() }
    #expect(recorder.ends.isEmpty)
    subjects.last?.finish()
    #expect(recorder.ends == [.finished])
    #expect(subjects.allSatisfy { $0.observerCount == 0 })
  }

  @Test("the inputs are released in the order in which they came")
  func tearDownOrder() {
    let log = Log<Int>()
    let inputs = (0..<20).map { number in
      Observable<Int, Never>(attach: { observer in observer.lifetime.onTermination { log.note(number) } })
    }
    Observable.merge(inputs).subscribe { _ in }.cancel()
    #expect(log.entries == Array(0..<20))
  }
}
