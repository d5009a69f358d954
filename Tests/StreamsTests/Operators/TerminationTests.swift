import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Hostile upstreams")
struct TerminationTests {
  @Test("S-TERM-01: quiet after the end, whatever upstream does", arguments: Operator.all)
  func afterEnd(_ subjectOfTest: Operator) {
    for end in [StreamEnd<TestError>.finished, .failed(TestError(code: 1))] {
      let source = HostileSource<Int, TestError>()
      let recorder = Recorder(subjectOfTest.apply(to: source.observable))
      source.send(1)
      source.send(2)
      source.end(end)
      source.send(3)
      source.end(.finished)
      source.end(.failed(TestError(code: 2)))
      source.send(4)
      #expect(recorder.values == [1, 2])
      #expect(recorder.ends == [end])
    }
  }

  @Test("S-TERM-01: quiet after cancellation, whatever upstream does", arguments: Operator.all)
  func afterCancel(_ subjectOfTest: Operator) {
    let source = HostileSource<Int, TestError>()
    let recorder = Recorder(subjectOfTest.apply(to: source.observable))
    source.send(1)
    recorder.cancel()
    source.send(2)
    source.end(.failed(TestError()))
    source.end(.finished)
    #expect(recorder.values == [1])
    #expect(recorder.ends.isEmpty)
  }

  @Test(
    "S-TERM-01: no closure of the user runs after the end or cancellation",
    arguments: Operator.withClosures
  )
  func closuresAreQuiet(_ subjectOfTest: Operator) {
    for cancels in [true, false] {
      let source = HostileSource<Int, TestError>()
      let calls = Counter()
      let recorder = Recorder(subjectOfTest.apply(to: source.observable) { calls.increment() })
      source.send(1)
      source.send(2)
      let before = calls.value
      if cancels { recorder.cancel() } else { source.end(.finished) }
      source.send(3)
      source.end(.finished)
      source.send(4)
      #expect(calls.value == before)
    }
  }

  @Test("S-TERM-01: a value that throws ends it for good, whatever upstream does")
  func afterThrow() {
    let source = HostileSource<Int, TestError>()
    let calls = Counter()
    let recorder = Recorder(
      source.observable
        .map { value throws(TestError) in
          calls.increment()
          if value == 1 { throw TestError(code: 1) }
          return value
        }
        .scan(0) { $0 + $1 }
    )
    for value in 0...4 { source.send(value) }
    source.end(.finished)
    #expect(recorder.values == [0])
    #expect(recorder.ends == [.failed(TestError(code: 1))])
    #expect(calls.value == 2)
  }

  @Test("S-TERM-01: prefix stays at its count")
  func prefix() {
    let source = HostileSource<Int, TestError>()
    let recorder = Recorder(source.prefix(2)) { event in
      if case .value = event { source.send(9) }
    }
    source.send(1)
    source.send(2)
    source.end(.failed(TestError()))
    #expect(recorder.values == [1, 9])
    #expect(recorder.ends == [.finished])
  }

  @Test("S-TERM-02: one end, even if its callback sends more ends and values", arguments: Operator.all)
  func endInsideEnd(_ subjectOfTest: Operator) {
    for end in [StreamEnd<TestError>.finished, .failed(TestError(code: 1))] {
      let hostile = HostileSource<Int, TestError>()
      let recorder = Recorder(subjectOfTest.apply(to: hostile.observable)) { event in
        guard case .end = event else { return }
        hostile.send(5)
        hostile.end(.finished)
        hostile.end(.failed(TestError(code: 2)))
      }
      hostile.send(1)
      hostile.end(end)
      #expect(recorder.values == [1])
      #expect(recorder.ends == [end])
    }
  }

  @Test("S-TERM-02: the same with a subject and with a producer")
  func endInsideEndOfSubject() {
    let subject = Subject<Int, TestError>()
    let refused = Log<Bool>()
    let recorder = Recorder(subject.observable) { event in
      guard case .end = event else { return }
      refused.note(subject.finish())
      refused.note(subject.fail(TestError()))
      refused.note(subject.send(1))
    }
    subject.finish()
    #expect(recorder.values.isEmpty && recorder.ends == [.finished])
    #expect(refused.entries == [false, false, false])

    let producer = Box<Producer<Int, TestError>>()
    let made = Recorder(Observable<Int, TestError> { producer.value = $0 }) { event in
      guard case .end = event else { return }
      producer.value?.finish()
      producer.value?.send(1)
    }
    producer.value?.fail(TestError(code: 4))
    #expect(made.values.isEmpty && made.ends == [.failed(TestError(code: 4))])
  }
}
