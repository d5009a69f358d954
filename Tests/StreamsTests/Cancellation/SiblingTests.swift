import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Cancelling others")
struct SiblingTests {
  @Test("A sibling cancelled in the middle of a round is not called in that round")
  func laterSibling() {
    let subject = Subject<Int, Never>()
    let second = Box<Subscription>()
    let calls = Log<String>()
    let first = subject.subscribe { _ in
      calls.note("first")
      second.value?.cancel()
    }
    second.value = subject.map { $0 }.subscribe { _ in calls.note("second") }
    let third = subject.subscribe { _ in calls.note("third") }
    subject.send(1)
    #expect(calls.entries == ["first", "third"])
    #expect(subject.observerCount == 2)
    first.cancel()
    third.cancel()
  }

  @Test("A sibling cancelled in the middle of a round of ends does not hear the end")
  func siblingAtEnd() {
    let subject = Subject<Int, Never>()
    let second = Box<Subscription>()
    let calls = Log<String>()
    let first = subject.subscribe({ _ in }, onEnd: { _ in second.value?.cancel() })
    second.value = subject.subscribe({ _ in }, onEnd: { _ in calls.note("second") })
    subject.finish()
    #expect(calls.count == 0)
    first.cancel()
  }

  @Test("All subscribers may cancel all others, and subscribe again, in one round")
  func allCancelAll() {
    let subject = Subject<Int, Never>()
    let tokens = Log<Subscription>()
    let calls = Counter()
    for _ in 0..<100 {
      tokens.note(
        subject.subscribe { value in
          calls.increment()
          for token in tokens.entries { token.cancel() }
          if value == 1 { tokens.note(subject.subscribe { _ in calls.increment() }) }
        }
      )
    }
    subject.send(1)
    #expect(calls.value == 1)
    #expect(subject.observerCount == 1)
    subject.send(2)
    #expect(calls.value == 2)
  }

  @Test("What a cancelled sibling captured is released when the delivery is over, not later")
  func release() {
    let tracker = LifetimeTracker()
    let subject = Subject<Int, Never>()
    let second = Box<Subscription>()
    let first = subject.subscribe { _ in second.value?.cancel() }
    second.value = subject.subscribe { [object = tracker.make()] _ in _ = object }
    subject.send(1)
    #expect(tracker.liveCount == 0)
    first.cancel()
  }
}
