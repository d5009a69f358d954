import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("switchToLatest")
struct SwitchToLatestTests {
  private let outer = Subject<Observable<Int, TestError>, TestError>()
  private let first = Subject<Int, TestError>()
  private let second = Subject<Int, TestError>()

  @Test("Follows the newest stream and releases the one before")
  func follows() {
    let recorder = Recorder(outer.switchToLatest())
    outer.send(first.observable)
    first.send(1)
    outer.send(second.observable)
    #expect(first.observerCount == 0)
    first.send(2)
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test("S-SWITCH-02: the outer finishes first, the inner runs on and ends the result")
  func outerFirst() {
    let recorder = Recorder(outer.switchToLatest())
    outer.send(first.observable)
    outer.finish()
    #expect(recorder.ends.isEmpty)
    first.send(1)
    #expect(recorder.values == [1])
    first.finish()
    #expect(recorder.ends == [.finished])
  }

  @Test("S-SWITCH-02: the inner finishes first, the outer ends the result, also after more streams")
  func innerFirst() {
    let recorder = Recorder(outer.switchToLatest())
    outer.send(first.observable)
    first.finish()
    #expect(recorder.ends.isEmpty)
    outer.send(Operator.just(4))
    #expect(recorder.values == [4])
    outer.finish()
    #expect(recorder.ends == [.finished])
  }

  @Test("S-SWITCH-02: the completion of a superseded stream is ignored")
  func superseded() {
    let hostile = HostileSource<Int, TestError>()
    let recorder = Recorder(outer.switchToLatest())
    outer.send(hostile.observable)
    outer.send(second.observable)
    outer.finish()
    hostile.end(.finished)
    hostile.end(.failed(TestError()))
    hostile.send(1)
    #expect(recorder.ends.isEmpty)
    second.send(2)
    second.finish()
    #expect(recorder.values == [2])
    #expect(recorder.ends == [.finished])
  }

  @Test("Without any inner stream the outer's completion is the result's")
  func empty() {
    let recorder = Recorder(outer.switchToLatest())
    outer.finish()
    #expect(recorder.ends == [.finished])
  }

  @Test("S-SWITCH-03: failure of the outer stream ends the result and cancels the inner")
  func outerFailure() {
    let recorder = Recorder(outer.switchToLatest())
    outer.send(first.observable)
    outer.fail(TestError(code: 1))
    #expect(first.observerCount == 0)
    #expect(recorder.ends == [.failed(TestError(code: 1))])
  }

  @Test(
    "S-SWITCH-03: failure of the inner ends the result, cancels the outer; later streams are not subscribed"
  )
  func innerFailure() {
    let hostile = HostileSource<Observable<Int, TestError>, TestError>()
    let log = SubscriptionLog()
    let recorder = Recorder(hostile.switchToLatest())
    let tame = Recorder(outer.switchToLatest())
    hostile.send(first.observable)
    outer.send(first.observable)
    first.fail(TestError(code: 2))
    #expect(outer.observerCount == 0)
    hostile.send(second.observable.recordingSubscriptions(in: log))
    #expect(log.count == 0)
    #expect(recorder.ends == [.failed(TestError(code: 2))])
    #expect(tame.ends == [.failed(TestError(code: 2))])
  }

  @Test(
    "S-SWITCH-04: an inner value sent after the outer failed is dropped, also while the failure waits in line"
  )
  func afterFailure() {
    let hostile = HostileSource<Int, TestError>()
    let recorder = Recorder(outer.switchToLatest()) { [outer] event in
      guard case .value(1) = event else { return }
      outer.fail(TestError())
      hostile.send(2)
    }
    outer.send(hostile.observable)
    hostile.send(1)
    hostile.send(3)
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.failed(TestError())])
  }

  @Test("S-SWITCH-06: with synchronous sources, each inner stream is sent in full")
  func synchronous() {
    let recorder = Recorder(
      Observable(1...3).map { outer in Observable((0..<3).map { outer * 10 + $0 }) }.switchToLatest()
    )
    #expect(recorder.values == [10, 11, 12, 20, 21, 22, 30, 31, 32])
    #expect(recorder.ends == [.finished])
  }

  @Test("Values of a stream that is replaced while they wait in line are dropped")
  func replacedInLine() {
    // A source without a line of its own, so that its value waits in that of the switch.
    let direct = HostileSource<Int, TestError>()
    let recorder = Recorder(outer.switchToLatest()) { [outer, second] event in
      guard case .value(1) = event else { return }
      direct.send(2)
      outer.send(second.observable)
      second.send(3)
    }
    outer.send(direct.observable)
    direct.send(1)
    #expect(recorder.values == [1, 3])
  }

  @Test("What a stream sent before it finished still counts while it waits in line")
  func finishedInLine() {
    let direct = HostileSource<Int, TestError>()
    let recorder = Recorder(outer.switchToLatest()) { [outer] event in
      guard case .value(1) = event else { return }
      direct.send(2)
      direct.end(.finished)
      outer.finish()
    }
    outer.send(direct.observable)
    direct.send(1)
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.finished])
  }

  @Test("An outer stream that has finished is released at once, whatever runs on")
  func outerIsLetGo() {
    let recorder = Recorder(outer.prefix(1).switchToLatest())
    outer.send(first.observable)
    #expect(outer.observerCount == 0)
    outer.fail(TestError(code: 8))
    #expect(recorder.ends.isEmpty, "it had finished, so it cannot fail any more")
    first.send(1)
    first.finish()
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test("The teardown of an outer stream made by hand runs when it finishes")
  func outerTeardown() {
    let teardowns = Counter()
    let inner = first.observable
    let made = Observable<Observable<Int, TestError>, TestError> { producer in
      producer.onTermination { teardowns.increment() }
      producer.send(inner)
      producer.finish()
    }
    let recorder = Recorder(made.switchToLatest())
    #expect(teardowns.value == 1)
    recorder.cancel()
    #expect(teardowns.value == 1)
  }

  @Test("Cancelling releases both levels")
  func cancel() {
    let recorder = Recorder(outer.switchToLatest())
    outer.send(first.observable)
    recorder.cancel()
    #expect(outer.observerCount == 0)
    #expect(first.observerCount == 0)
    #expect(recorder.ends.isEmpty)
  }

  @Test("A stream may be switched to from inside the callback of the one before, for ever")
  func chain() {
    let outer = Subject<Observable<Int, Never>, Never>()
    let recorder = Recorder(outer.switchToLatest()) { event in
      guard case .value(let value) = event, value < 100_000 else { return }
      outer.send(Observable([value + 1]))
    }
    outer.send(Observable([0]))
    #expect(recorder.values.count == 100_001)
    #expect(recorder.values.last == 100_000)
  }
}
