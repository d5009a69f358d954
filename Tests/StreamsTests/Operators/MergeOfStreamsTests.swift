import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("merge of a stream of streams")
struct MergeOfStreamsTests {
  private typealias Inner = Observable<Int, TestError>

  @Test("S-MERGE-05: failure of the outer stream cancels the inner ones")
  func outerFailure() {
    let outer = Subject<Observable<Int, TestError>, TestError>()
    let inner = Subject<Int, TestError>()
    let recorder = Recorder(outer.merge())
    outer.send(inner.observable)
    inner.send(1)
    outer.fail(TestError())
    #expect(inner.observerCount == 0)
    inner.send(2)
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.failed(TestError())])
  }

  @Test("S-MERGE-05: streams that arrive after a failure are never subscribed to")
  func lateInner() {
    let outer = HostileSource<Observable<Int, TestError>, TestError>()
    let inner = Subject<Int, TestError>()
    let late = Subject<Int, TestError>()
    let log = SubscriptionLog()
    let recorder = Recorder(outer.merge())
    outer.send(inner.observable)
    inner.fail(TestError(code: 3))
    outer.send(late.observable.recordingSubscriptions(in: log))
    #expect(log.count == 0)
    #expect(recorder.ends == [.failed(TestError(code: 3))])
  }

  @Test("S-MERGE-05: a stream that the callback sends after a failure in line is not subscribed to either")
  func lateInnerReentrant() {
    let outer = Subject<Observable<Int, TestError>, TestError>()
    let first = Subject<Int, TestError>()
    let second = Subject<Int, TestError>()
    let late = Subject<Int, TestError>()
    let log = SubscriptionLog()
    let recorder = Recorder(outer.merge()) { event in
      guard case .value = event else { return }
      second.fail(TestError())
      outer.send(late.observable.recordingSubscriptions(in: log))
    }
    outer.send(first.observable)
    outer.send(second.observable)
    first.send(1)
    #expect(log.count == 0)
    #expect(outer.observerCount == 0)
    #expect(recorder.ends == [.failed(TestError())])
  }

  @Test("S-MERGE-05: completion of the outer stream lets the inner ones run on")
  func outerCompletion() {
    let outer = Subject<Observable<Int, TestError>, TestError>()
    let first = Subject<Int, TestError>()
    let second = Subject<Int, TestError>()
    let recorder = Recorder(outer.merge())
    outer.send(first.observable)
    outer.send(second.observable)
    outer.finish()
    first.send(1)
    first.finish()
    #expect(recorder.ends.isEmpty)
    second.send(2)
    second.finish()
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.finished])
  }

  @Test("The outer stream may finish last, and alone")
  func outerLast() {
    let outer = Subject<Observable<Int, TestError>, TestError>()
    let recorder = Recorder(outer.merge())
    outer.send(Operator.just(1))
    #expect(recorder.values == [1])
    #expect(recorder.ends.isEmpty)
    outer.finish()
    #expect(recorder.ends == [.finished])
  }

  @Test("Cancelling releases the outer and of every inner stream")
  func cancel() {
    let outer = Subject<Observable<Int, TestError>, TestError>()
    let inners = (0..<20).map { _ in Subject<Int, TestError>() }
    let recorder = Recorder(outer.merge())
    for inner in inners { outer.send(inner.observable) }
    #expect(inners.allSatisfy { $0.observerCount == 1 })
    recorder.cancel()
    #expect(outer.observerCount == 0)
    #expect(inners.allSatisfy { $0.observerCount == 0 })
    #expect(recorder.ends.isEmpty)
  }
}
