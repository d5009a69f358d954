import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Marbles")
struct MarblesTests {
  private let marbles = Marbles()

  @Test(
    "what a stream plays is what it is expected to play",
    arguments: ["a", "-", "--a--", "ab-c|", "^", "|", "-[ab]-[c|]", "[ab^]--", "a b - | "]
  )
  func roundTrip(diagram: String) {
    marbles.expect(marbles.stream(diagram), diagram)
    marbles.expect(marbles.sharedStream(diagram), diagram)
  }

  @Test("a stream plays from the instant of each subscription; a shared one from the instant it is made")
  func relative() {
    let own = marbles.stream("abcd|")
    let shared = marbles.sharedStream("abcd|")
    let early = Recorder(shared)
    marbles.time.advance(to: .seconds(2))
    // At instant 2, c has been sent.
    marbles.expect(shared, "-d|")
    marbles.expect(own, "abcd|")
    marbles.expect(shared, "|")
    #expect(early.values == ["a", "b", "c", "d"])
  }

  @Test(
    "a shared stream without an end has none, with a subscriber or without",
    arguments: ["a-b-", "---", "-", "-a-----"]
  )
  func sharedWithoutEnd(diagram: String) {
    let shared = marbles.sharedStream(diagram)
    marbles.expect(shared, diagram + "----")
    marbles.expect(shared, "---")
  }

  @Test("subscribers of a shared stream see one sequence")
  func shared() {
    let shared = marbles.sharedStream("a-b-c|")
    let first = Recorder(shared, on: marbles.time)
    let second = Recorder(shared, on: marbles.time)
    marbles.time.run()
    #expect(first.values == ["a", "b", "c"])
    #expect(second.records.map(\.instant) == first.records.map(\.instant))
    #expect(first.records.map(\.instant) == [0, 2, 4, 5].map { .seconds($0) })
  }

  @Test("`;`: the observer cancels in that step, after what happens in it, and nothing more may come")
  func cancel() {
    let log = SubscriptionLog(on: marbles.time)
    marbles.expect(marbles.stream("abc|").recordingSubscriptions(in: log), "ab[c;]")
    marbles.expect(marbles.stream("abc|").recordingSubscriptions(in: log), "a[b;]")
    marbles.expect(marbles.stream("abc|").recordingSubscriptions(in: log), "a[b;]--")
    #expect(log.spans.map(\.outcome) == [.cancelled, .cancelled, .cancelled])
    #expect(log.spans.map { ($0.released ?? .zero) - $0.subscribed } == [.seconds(2), .seconds(1), .seconds(1)])
  }

  @Test(
    "a step may be as long as one likes",
    arguments: [
      Duration.milliseconds(1), .nanoseconds(3), .seconds(86_400), Duration(attoseconds: 756_247_381_085_762_037),
    ]
  )
  func step(step: Duration) {
    let marbles = Marbles(step: step)
    marbles.expect(marbles.stream("a--b|"), "a--b|")
    // In floating point, seven of the oddest of these steps are not seven steps.
    marbles.expect(marbles.stream("-------a"), "-------a")
    marbles.expect(marbles.stream("a--b|").delay(by: step * 2, on: marbles.time), "--a--b|")
    marbles.expect(marbles.stream(String(repeating: "-", count: 100) + "a"), String(repeating: "-", count: 100) + "a")
  }

  @Test("a step that is not positive is a second", arguments: [Duration.zero, .seconds(-1)])
  func noStep(step: Duration) {
    let marbles = Marbles(step: step)
    #expect(marbles.step == .seconds(1))
    marbles.expect(marbles.stream("a--b|"), "a--b|")
  }

  @Test("values of any type, by their description or by name")
  func values() {
    marbles.expect(Observable([1, 2]), "[12|]")
    marbles.expect(Observable([true, false]), "[tf|]", values: ["t": true, "f": false])
    marbles.expect(Observable([100, 200]), "[ab|]", values: ["a": 100, "b": 200])
    marbles.expect(marbles.stream("ab|").map { $0 == "a" ? 10 : 20 }, "12|", values: ["1": 10, "2": 20])
  }

  @Test("a value that is NaN, or holds it, has a name like any other")
  func notANumber() {
    let readings = marbles.stream("a-b|").map { $0 == "a" ? Double.nan : 1 }
    marbles.expect(readings, "a-b|", values: ["a": .nan, "b": 1])
    marbles.expect(readings.map { [$0] }, "a-b|", values: ["a": [.nan], "b": [1]])
  }

  @Test("time moves on with each expectation, and pipelines may share it")
  func time() {
    marbles.expect(marbles.stream("---"), "---")
    #expect(marbles.time.now == .seconds(2))
    let ticks = Observable.interval(.seconds(1), on: marbles.time)
    marbles.expect(ticks, "-012[3;]")
    #expect(marbles.time.pending == [])
  }

  @Test("a stream that is silent after the diagram is played to its end, and one with an endless timer for a while")
  func silence() {
    let time = marbles.time
    marbles.expect(marbles.stream("a-b-c-d|").filter { $0 == "a" }, "a------|")
    marbles.expect(marbles.stream("a-b-c-d").filter { $0 == "a" }, "a-")
    #expect(time.now == .seconds(7 + 6))
    marbles.expect(Observable<Int, Never>.interval(.seconds(1), on: time).filter { _ in false }, "--")
    #expect(time.pending == [])
  }

  @Test("time may come to its end: what comes then is late, and nothing traps")
  func endOfTime() {
    let never = Duration(attoseconds: .max)
    marbles.expect(marbles.stream("a").delay(by: never, on: marbles.time), "-;")
    let reported = reports { marbles.expect(marbles.stream("a|").delay(by: never, on: marbles.time), "--") }
    #expect(reported.count == 1)
    marbles.expect(marbles.stream("a|"), "[a|]")
  }

  @Test("nothing is kept of a pipeline that was expected")
  func leak() {
    let tracker = LifetimeTracker()
    func pipeline() -> Observable<String, MarbleFailure> {
      marbles.stream("a-b-c|").map { [object = tracker.make()] value in
        _ = object
        return value
      }.delay(by: .seconds(10), on: marbles.time)
    }
    marbles.expect(pipeline(), "----;")
    #expect(tracker.liveCount == 0)
  }
}
