import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("delay")
struct DelayTests {
  private let marbles = Marbles()

  @Test(
    "values and the end are late by the same time",
    arguments: [
      ("ab-c|", "--ab-c|"),
      ("a|", "--a|"),
      ("[ab]|", "--[ab]|"),
      ("[ab|]", "--[ab|]"),
      ("|", "--|"),
    ]
  )
  func late(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.delay(by: .seconds(2), on: marbles.time) }
  }

  @Test("a failure passes at once; what is not due by then is dropped", arguments: [("ab^", "--[a^]"), ("a^", "-^")])
  func failure(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.delay(by: .seconds(2), on: marbles.time) }
  }

  @Test("a delay that is not positive goes by way of the scheduler", arguments: [Duration.zero, .seconds(-2)])
  func noDelay(delay: Duration) {
    marbles.expectEitherWay("[ab]c-|", "[ab]c-|") { $0.delay(by: delay, on: marbles.time) }
    let subject = Subject<Int, Never>()
    let recorder = Recorder(subject.delay(by: delay, on: marbles.time))
    subject.send(1)
    #expect(recorder.values == [])
    marbles.time.advance(by: .zero)
    #expect(recorder.values == [1])
  }

  @Test("a late timer catches up, in order")
  func lateTimer() {
    let slow = LaggingScheduler(time: marbles.time, lag: .seconds(1))
    // By the time the timer of a fires, b is due as well.
    marbles.expect(marbles.stream("ab--c--|").delay(by: .seconds(2), on: slow), "---[ab]---c--|")
  }

  @Test("memory holds the values of one delay, and one timer is pending")
  func memory() {
    let tracker = LifetimeTracker()
    let counter = ScheduleCounter()
    let subject = Subject<LifetimeTracker.Object, Never>()
    let delivered = Recorder(subject.delay(by: .seconds(1), on: counter).map { _ in 1 })
    for _ in 0..<10_000 {
      subject.send(tracker.make())
      #expect(counter.time.pending.count == 1)
      #expect(tracker.liveCount <= 101)
      counter.time.advance(by: .milliseconds(10))
    }
    counter.time.run()
    #expect(delivered.values.count == 10_000)
    #expect(tracker.liveCount == 0)
  }
}
