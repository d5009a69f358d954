import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("distinctUntilChanged")
struct DistinctUntilChangedTests {
  private struct Fix: Sendable {
    var satellites: Int
    var cargo: LifetimeTracker.Object?
  }

  @Test("S-DIST-01: the first value always passes, and the comparator is not called for it")
  func first() {
    let subject = Subject<Int, Never>()
    let calls = Log<[Int]>()
    let recorder = Recorder(
      subject.distinctUntilChanged { old, new in
        calls.note([old, new])
        return true
      }
    )
    subject.send(1)
    #expect(recorder.values == [1])
    #expect(calls.count == 0)
    subject.send(2)
    #expect(calls.entries == [[1, 2]], "old, new")
    #expect(recorder.values == [1])
  }

  @Test("S-DIST-01: a first value of nil passes, too")
  func firstNil() {
    let recorder = Recorder(Observable([Int?.none, nil, 1, 1, nil]).distinctUntilChanged())
    #expect(recorder.values == [nil, 1, nil])
  }

  @Test("S-DIST-02: only neighbouring repeats are dropped")
  func neighbours() {
    #expect(Recorder(Observable(["A", "B", "A"]).distinctUntilChanged()).values == ["A", "B", "A"])
    #expect(Recorder(Observable([1, 1, 2, 2, 2, 1]).distinctUntilChanged()).values == [1, 2, 1])
  }

  @Test(
    "S-DIST-03: a slow drift below the tolerance is noticed: the comparison is with what was delivered last"
  )
  func drift() {
    let temperatures = Observable(stride(from: 0.0, through: 2.5, by: 0.25).map(\.self))
    let recorder = Recorder(temperatures.distinctUntilChanged { abs($0 - $1) < 1 })
    #expect(recorder.values == [0, 1, 2])
  }

  @Test("S-DIST-04: a comparator that throws ends the stream with its error and unsubscribes upstream")
  func throwing() {
    let subject = Subject<Int, TestError>()
    let recorder = Recorder(
      subject.distinctUntilChanged { old, new throws(TestError) in
        if new == 3 { throw TestError(code: 3) }
        return old == new
      }
    )
    for value in [3, 3] { subject.send(value) }
    #expect(recorder.values == [3])
    #expect(recorder.ends == [.failed(TestError(code: 3))])
    #expect(subject.observerCount == 0)
  }

  @Test("S-DIST-06: a key path keeps the key of the last value, not the value")
  func keepsKeyOnly() {
    let tracker = LifetimeTracker()
    let subject = Subject<Fix, Never>()
    let seen = Log<Int>()
    let subscription = subject.distinctUntilChanged(by: \.satellites)
      .subscribe { seen.note($0.satellites) }
    subject.send(Fix(satellites: 3, cargo: tracker.make()))
    #expect(tracker.liveCount == 0)
    subject.send(Fix(satellites: 3))
    subject.send(Fix(satellites: 4))
    #expect(seen.entries == [3, 4])
    subscription.cancel()
  }

  @Test("S-DIST-06: the last value is released on termination", arguments: ["cancel", "finish", "fail"])
  func letsGo(how: String) {
    let tracker = LifetimeTracker()
    let subject = Subject<Fix, TestError>()
    let subscription = subject.distinctUntilChanged { $0.satellites == $1.satellites }
      .subscribe { _ in }
    subject.send(Fix(satellites: 3, cargo: tracker.make()))
    #expect(tracker.liveCount == 1)
    switch how {
    case "cancel": subscription.cancel()
    case "finish": subject.finish()
    default: subject.fail(TestError())
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("Plain comparison: a Double that stays NaN is sent every time")
  func notANumber() {
    #expect(Recorder(Observable([Double.nan, .nan, 1, 1]).distinctUntilChanged()).values.count == 3)
  }

  @Test("Two subscriptions remember for themselves")
  func separate() {
    let subject = Subject<Int, Never>()
    let stream = subject.distinctUntilChanged()
    let first = Recorder(stream)
    subject.send(1)
    let second = Recorder(stream)
    subject.send(1)
    #expect(first.values == [1])
    #expect(second.values == [1])
  }
}
