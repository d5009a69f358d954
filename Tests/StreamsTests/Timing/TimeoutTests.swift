import RASPTesting
import Streams
import Testing

@Suite("timeout")
struct TimeoutTests {
  private enum Trouble: Error, Hashable {
    case silence
    case upstream
  }

  private let marbles = Marbles()

  @Test(
    "fails when nothing has come for too long: after the subscription, or after a value",
    arguments: [
      ("ab---c|", "ab-^"),
      ("-----", "--^"),
      ("-a-----", "-a-^"),
      ("-a|", "-a|"),
      ("abcdef^", "abcdef^"),
      ("[ab]c|", "[ab]c|"),
    ]
  )
  func silence(source: String, result: String) {
    marbles.expectEitherWay(source, result) {
      $0.timeout(after: .seconds(2), on: marbles.time, failure: MarbleFailure())
    }
  }

  @Test(
    "at the limit itself it is too late, for a value and for an end",
    arguments: [("--a", "--^"), ("a-b", "a-^"), ("--|", "--^"), ("a-|", "a-^")]
  )
  func boundary(source: String, result: String) {
    marbles.expectEitherWay(source, result) {
      $0.timeout(after: .seconds(2), on: marbles.time, failure: MarbleFailure())
    }
  }

  @Test("at the limit, a failure of upstream comes too late as well, whichever was scheduled first")
  func boundaryOfFailure() {
    for source in [marbles.stream("--^"), marbles.streamAfterTimers("--^")] {
      let stream = source.mapError { _ in Trouble.upstream }
      let recorder = Recorder(stream.timeout(after: .seconds(2), on: marbles.time, failure: .silence), on: marbles.time)
      marbles.time.run()
      #expect(recorder.ends == [.failed(.silence)])
    }
  }

  @Test("a limit that is not positive is over at once", arguments: [Duration.zero, .seconds(-1)])
  func noLimit(limit: Duration) {
    marbles.expectEitherWay("ab|", "^") { $0.timeout(after: limit, on: marbles.time, failure: MarbleFailure()) }
    let synchronous = Observable([1, 2]).setFailureType(to: MarbleFailure.self)
    marbles.expect(synchronous.timeout(after: limit, on: marbles.time, failure: MarbleFailure()), "^")
  }

  @Test("the failure is made when it is needed, once, and upstream is released")
  func failure() {
    let log = SubscriptionLog(on: marbles.time)
    let made = Lock(0)
    let source = marbles.stream("ab---").recordingSubscriptions(in: log)
    let stream = source.timeout(after: .seconds(2), on: marbles.time, failure: made.counted(MarbleFailure()))
    marbles.expect(stream, "ab;")
    #expect(made.withLock { $0 } == 0)
    marbles.expect(stream, "ab-^--")
    #expect(made.withLock { $0 } == 1)
    #expect(log.spans.map(\.outcome) == [.cancelled, .cancelled])
    #expect(log.spans.last?.released == .seconds(2 + 3))
  }

  @Test("values that come in time are not held up by a late timer, and silence is noticed when it fires")
  func late() {
    let slow = LaggingScheduler(time: marbles.time, lag: .seconds(1))
    marbles.expect(
      marbles.stream("a-bc---").timeout(after: .seconds(3), on: slow, failure: MarbleFailure()),
      "a-bc---^"
    )
  }
}

extension Lock<Int> {
  fileprivate func counted<Result>(_ value: Result) -> Result {
    withLock { $0 += 1 }
    return value
  }
}
