import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Subject")
struct SubjectTests {
  @Test("SUB-01: only what is sent after subscription; with no subscriber the value is gone")
  func plain() {
    let subject = Subject<Int, Never>()
    #expect(subject.send(1), "accepted, though it has no subscriber")
    let recorder = Recorder(subject.observable)
    #expect(recorder.values.isEmpty)
    subject.send(2)
    #expect(recorder.values == [2])
    #expect(subject.latest == nil, "a plain subject keeps nothing")
  }

  @Test("SUB-04: a failure reaches every subscriber once, and a later one at once")
  func failure() {
    let subject = Subject<Int, TestError>()
    let first = Recorder(subject.observable)
    let second = Recorder(subject.observable)
    #expect(subject.fail(TestError(code: 1)))
    #expect(!subject.fail(TestError(code: 2)))
    #expect(!subject.finish())
    #expect(!subject.send(1))
    let late = Recorder(subject.observable)
    for recorder in [first, second, late] {
      #expect(recorder.values.isEmpty)
      #expect(recorder.ends == [.failed(TestError(code: 1))])
    }
  }

  @Test("SUB-07: a subject does not compare")
  func equalValues() {
    let subject = Subject<Int, Never>(initial: 1)
    let recorder = Recorder(subject.observable)
    subject.send(1)
    subject.send(1)
    #expect(recorder.values == [1, 1, 1])
  }

  @Test(
    "SUB-08: observers are called in subscription order, with a thousand of them and after removals in the middle"
  )
  func order() {
    let subject = Subject<Int, Never>()
    let calls = Log<Int>()
    var tokens = (0..<1_000).map { index in subject.subscribe { _ in calls.note(index) } }
    subject.send(0)
    #expect(calls.entries == Array(0..<1_000))

    for index in stride(from: 998, through: 2, by: -3) { tokens.remove(at: index).cancel() }
    tokens += (1_000..<1_010).map { index in subject.subscribe { _ in calls.note(index) } }
    let before = calls.count
    subject.send(1)
    let round = calls.entries.dropFirst(before)
    #expect(round.count == subject.observerCount)
    #expect(zip(round, round.dropFirst()).allSatisfy { $0 < $1 })
    #expect(round.last == 1_009)
  }

  @Test("SUB-08: the end comes in subscription order, too")
  func orderOfEnds() {
    let subject = Subject<Int, Never>()
    let calls = Log<Int>()
    let tokens = (0..<20).map { index in
      subject.subscribe({ _ in }, onEnd: { _ in calls.note(index) })
    }
    subject.finish()
    #expect(calls.entries == Array(0..<20))
    #expect(tokens.allSatisfy { !$0.isActive })
  }

  @Test("SUB-09: the same observer twice is two subscriptions; cancelling one leaves the other")
  func twice() {
    let subject = Subject<Int, Never>()
    let calls = Log<Int>()
    let observer: @Sendable (Int) -> Void = { calls.note($0) }
    let first = subject.subscribe(observer)
    let second = subject.subscribe(observer)
    subject.send(1)
    #expect(calls.entries == [1, 1])
    first.cancel()
    subject.send(2)
    #expect(calls.entries == [1, 1, 2])
    #expect(second.isActive)
  }

  @Test("SUB-10: the count rises on subscribe and falls once, however often one cancels")
  func count() {
    let subject = Subject<Int, Never>()
    #expect(subject.observerCount == 0)
    let first = subject.subscribe { _ in }
    var second: Subscription? = subject.map { $0 }.subscribe { _ in }
    #expect(subject.observerCount == 2)
    first.cancel()
    first.cancel()
    #expect(subject.observerCount == 1)
    #expect(second?.isActive == true)
    second = nil
    #expect(subject.observerCount == 0)
    let third = subject.subscribe { _ in }
    subject.finish()
    #expect(subject.observerCount == 0)
    third.cancel()
    #expect(subject.observerCount == 0)
    let late = subject.subscribe { _ in }
    #expect(subject.observerCount == 0)
    late.cancel()
    #expect(subject.observerCount == 0)
  }

  @Test("SUB-10: the count is exact inside a callback, where removals still wait")
  func countInside() {
    let subject = Subject<Int, Never>()
    let counts = Log<Int>()
    let second = Box<Subscription>()
    let first = subject.subscribe { _ in
      second.value?.cancel()
      counts.note(subject.observerCount)
      second.value = subject.subscribe { _ in }
      counts.note(subject.observerCount)
    }
    second.value = subject.subscribe { _ in }
    subject.send(1)
    #expect(counts.entries == [1, 2])
    #expect(subject.observerCount == 2)
    first.cancel()
    second.value?.cancel()
    #expect(subject.observerCount == 0)
  }

  @Test("SUB-12: the read-only view cannot be cast back")
  func readOnly() {
    let subject = Subject<Int, Never>()
    let view: Any = subject.observable
    #expect(!(view is Subject<Int, Never>))
    #expect(!(view is Producer<Int, Never>))
  }

  @Test("The view does not keep the subject alive, and serves the replay and the end after it is gone")
  func view() {
    var subject: Subject<Int, Never>? = Subject(initial: 3)
    weak let weakSubject = subject
    let view = subject?.observable
    let recorder = view.map { Recorder($0) }
    subject = nil
    #expect(weakSubject == nil)
    #expect(recorder?.values == [3])
    #expect(recorder?.ends == [.finished])
    let late = view.map { Recorder($0) }
    #expect(late?.values == [3])
    #expect(late?.ends == [.finished])
  }
}
