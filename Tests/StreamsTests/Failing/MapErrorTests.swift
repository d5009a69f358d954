import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("mapError and setFailureType")
struct MapErrorTests {
  private struct Numbered: Error, Hashable {
    let number: Int
  }

  private let marbles = Marbles()

  @Test(
    "the failure is made into another one, once per subscription; values and the end pass",
    arguments: ["ab^", "ab|", "^", "a-;"]
  )
  func mapError(diagram: String) {
    let calls = Lock(0)
    let stream = marbles.stream(diagram.filter { $0 != ";" }).mapError { _ in
      Numbered(
        number: calls.withLock {
          $0 += 1; return $0
        }
      )
    }
    marbles.expect(stream, diagram)
    marbles.expect(stream, diagram)
    #expect(calls.withLock { $0 } == (diagram.hasSuffix("^") ? 2 : 0))
  }

  @Test("the new failure is what the observer gets")
  func value() {
    let recorder = Recorder(marbles.stream("a^").mapError { _ in Numbered(number: 7) })
    marbles.time.run()
    #expect(recorder.ends == [.failed(Numbered(number: 7))])
  }

  @Test("a source that fails again and again has its failure mapped once")
  func hostile() {
    let source = HostileSource<Int, MarbleFailure>()
    let calls = Lock(0)
    let recorder = Recorder(
      source.mapError { failure in
        calls.withLock { $0 += 1 }
        return failure
      }
    )
    for _ in 0..<3 { source.end(.failed(MarbleFailure())) }
    #expect(calls.withLock { $0 } == 1)
    #expect(recorder.ends.count == 1)
  }

  @Test("nothing is mapped after cancelling, and cancelling reaches the source")
  func cancel() {
    let subject = Subject<Int, MarbleFailure>()
    let recorder = Recorder(subject.mapError { _ in Numbered(number: 0) })
    recorder.cancel()
    #expect(subject.observerCount == 0)
    subject.fail(MarbleFailure())
    #expect(recorder.records.isEmpty)
  }

  @Test("a stream that cannot fail merges with one that does")
  func setFailureType() {
    let never = marbles.stream("a-a|").catch { _ in Observable<String, Never>([]) }
    marbles.expect(.merge(never.setFailureType(to: MarbleFailure.self), marbles.stream("-b-b^")), "abab^")
    marbles.expect(never.setFailureType(to: Numbered.self), "a-a|")
  }
}
