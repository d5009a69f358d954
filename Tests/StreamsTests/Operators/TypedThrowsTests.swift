import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Typed failures")
struct TypedThrowsTests {
  @Test("A stream of Never is read without try, and a concrete error is caught as itself")
  func compiles() async {
    var numbers: [Int] = []
    for await number in Observable(1...3).values(buffering: .unbounded) { numbers.append(number) }
    #expect(numbers == [1, 2, 3])

    let failing = Observable(1...3).setFailureType(to: TestError.self).map { number throws(TestError) in
      if number == 3 { throw TestError(code: number) }
      return number
    }
    var seen: [Int] = []
    do {
      for try await number in failing.values(buffering: .unbounded) { seen.append(number) }
      Issue.record("The failure was not thrown")
    } catch {
      let typed: TestError = error
      #expect(typed.code == 3)
    }
    #expect(seen == [1, 2])
  }

  @Test("setFailureType passes values and the end, and joins a stream that can fail")
  func setFailureType() {
    let ticks = Subject<Int, Never>()
    let lines = Subject<Int, TestError>()
    let recorder = Recorder(.merge(ticks.setFailureType(to: TestError.self), lines.observable))
    ticks.send(1)
    lines.send(2)
    ticks.finish()
    #expect(recorder.ends.isEmpty)
    lines.fail(TestError(code: 5))
    #expect(recorder.values == [1, 2])
    #expect(recorder.ends == [.failed(TestError(code: 5))])
    let alone = Recorder(Observable([1]).setFailureType(to: TestError.self))
    #expect(alone.values == [1] && alone.ends == [.finished])
  }

  @Test("An existential failure is a failure like any other")
  func existential() {
    let subject = Subject<Int, any Error>()
    let recorder = Recorder(
      subject.map { number in
        if number > 1 { throw TestError(code: number) }
        return number
      }
    )
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [1])
    #expect(throws: TestError(code: 2)) { try recorder.end?.get() }
  }
}
