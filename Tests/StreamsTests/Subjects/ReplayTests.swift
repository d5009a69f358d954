import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Subjects that replay")
struct ReplayTests {
  @Test("SUB-02: a current-value subject gives the latest value once, then live values")
  func current() {
    let subject = Subject<Int, Never>(initial: 1)
    let first = Recorder(subject.observable)
    #expect(first.values == [1], "before subscribe returns")
    subject.send(2)
    let second = Recorder(subject.observable)
    subject.send(3)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [2, 3])
    #expect(subject.latest == 3)
  }

  @Test("SUB-03: who subscribes after completion gets the last value, then the completion")
  func late() {
    let subject = Subject<Int, TestError>(initial: 1)
    subject.send(2)
    subject.finish()
    #expect(!subject.send(3))
    let recorder = Recorder(subject.observable)
    #expect(recorder.values == [2])
    #expect(recorder.ends == [.finished])
    #expect(subject.latest == 2)
  }

  @Test("SUB-04: after a failure a newcomer gets the replay buffer, then the failure")
  func lateAfterFailure() {
    let subject = Subject<Int, TestError>(replaying: 2)
    for value in 1...3 { subject.send(value) }
    subject.fail(TestError(code: 1))
    for _ in 0..<2 {
      let recorder = Recorder(subject.observable)
      #expect(recorder.values == [2, 3])
      #expect(recorder.ends == [.failed(TestError(code: 1))])
    }
  }

  @Test("SUB-05: a buffer of N keeps the newest N in order", arguments: [0, 1, 2, 3, 7, 8, 9, 64])
  func newest(count: Int) {
    let subject = Subject<Int, Never>(replaying: count)
    for sent in 0..<200 {
      subject.send(sent)
      let expected = Array((0...sent).suffix(count))
      #expect(Recorder(subject.observable).values == expected)
      #expect(subject.latest == expected.last)
    }
  }

  @Test("A negative count replays nothing, and a huge one everything", arguments: [-1, .min, .max])
  func extremes(count: Int) {
    let subject = Subject<Int, Never>(replaying: count)
    for value in 0..<100 { subject.send(value) }
    #expect(Recorder(subject.observable).values == (count < 0 ? [] : Array(0..<100)))
  }

  @Test("Cancelling in the middle of the replay stops it there")
  func cancelInReplay() {
    let subject = Subject<Int, Never>(replaying: 5)
    for value in 0..<5 { subject.send(value) }
    let recorder = Recorder(subject.prefix(2))
    #expect(recorder.values == [0, 1])
    #expect(recorder.ends == [.finished])
    #expect(subject.observerCount == 0)
  }

  @Test("Finishing inside a subscription's own replay gives the rest of the replay, then the end")
  func finishInReplay() {
    let subject = Subject<Int, Never>(replaying: 3)
    for value in 0..<3 { subject.send(value) }
    let recorder = Recorder(subject.observable) { event in
      if case .value(0) = event { subject.finish() }
    }
    #expect(recorder.values == [0, 1, 2])
    #expect(recorder.ends == [.finished])
    #expect(subject.observerCount == 0)
  }

  @Test("Sending inside the replay comes behind the replay, once, for the newcomer and for all others")
  func sendInReplay() {
    let subject = Subject<Int, Never>(replaying: 2)
    subject.send(1)
    subject.send(2)
    let old = Recorder(subject.observable)
    let newcomer = Recorder(subject.observable) { event in
      if case .value(1) = event { subject.send(3) }
    }
    #expect(newcomer.values == [1, 2, 3])
    #expect(old.values == [1, 2, 3])
  }

  @Test("Subscribing inside the replay waits and sees everything once")
  func subscribeInReplay() {
    let subject = Subject<Int, Never>(initial: 1)
    let inner = Box<Recorder<Int, Never>>()
    let outer = Recorder(subject.observable) { event in
      guard case .value(1) = event, inner.value == nil else { return }
      inner.value = Recorder(subject.observable)
      subject.send(2)
    }
    #expect(outer.values == [1, 2])
    #expect(inner.value?.values == [1, 2])
  }

  @Test("What falls out of the buffer is released")
  func release() {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, Never>(replaying: 3)
    for _ in 0..<50 { subject.send(tracker.make()) }
    #expect(tracker.liveCount == 3)
  }
}
