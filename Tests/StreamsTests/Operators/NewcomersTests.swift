import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Operators that newcomers look for")
struct NewcomersTests {
  @Test("FACE-01: just sends its value with any failure type")
  func just() {
    let failing: Observable<Int, TestError> = .just(1)
    #expect(Recorder(failing).values == [1])
    #expect(Recorder(failing).end == .finished)
    #expect(Recorder(Observable.just(2).map { $0 + 1 }).values == [3])
    let replaced = Observable<Int, TestError>.fail(TestError(code: 1)).catch { _ in .just(4) }
    #expect(Recorder(replaced).values == [4])
  }

  @Test("FACE-02: drop(while:) drops what the standard library drops")
  func dropWhile() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      let values = (0..<Int.random(in: 0..<12, using: &numbers)).map { _ in Int.random(in: 0..<4, using: &numbers) }
      let recorder = Recorder(Observable(values).drop { $0 < 3 })
      #expect(recorder.values == Array(values.drop { $0 < 3 }), "seed \(seed)")
      #expect(recorder.end == .finished)
    }
    let failing = Observable<Int, TestError>.just(1).drop { _ throws(TestError) in throw TestError(code: 7) }
    #expect(Recorder(failing).end == .failed(TestError(code: 7)))
  }

  @Test("FACE-04: replaceError sends a value in place of the failure")
  func replaceError() {
    let source = Subject<Int, TestError>()
    let recorder = Recorder(source.replaceError(with: 9))
    source.send(1)
    source.fail(TestError(code: 1))
    #expect(recorder.values == [1, 9])
    #expect(recorder.end == .finished)
  }

  @Test("FACE-06: a task with a typed failure stands in front of a chain of operators")
  func typedTask() async throws {
    let names = Observable.task(failingWith: TestError.self) { () throws(TestError) in 1 }.map { $0 + 1 }
    #expect(try await names.first() == 2)
  }
}
