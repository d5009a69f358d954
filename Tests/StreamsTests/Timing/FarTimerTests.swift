import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Timers that are far away, on a real clock", .endsInTime)
struct FarTimerTests {
  /// The continuous clock, with a note of what it was asked for.
  private final class WatchedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let begun = Latch()
    let ended = Latch()
    private let clock = ContinuousClock()
    private let longest = Lock(Duration.zero)

    var longestSleep: Duration { longest.withLock { $0 } }
    var now: Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      let sleep = clock.now.duration(to: deadline)
      longest.withLock { $0 = max($0, sleep) }
      begun.open()
      defer { ended.open() }
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test(
    "the clock is not asked for an instant it cannot tell, and cancelling wakes the sleeper",
    arguments: [TimedOperator.debounce, .delay, .timeout, .sample],
    [Duration.seconds(Int64.max), Duration(attoseconds: .max)]
  )
  func far(timed: TimedOperator, duration: Duration) async {
    let clock = WatchedClock()
    let subject = Subject<Int, MarbleFailure>()
    let recorder = Recorder(timed.apply(to: subject.observable, duration, on: ClockScheduler(clock)))
    subject.send(1)
    await clock.begun.wait()
    recorder.cancel()
    await clock.ended.wait()
    #expect(clock.longestSleep > .seconds(1))
    #expect(clock.longestSleep <= .seconds(366 * 86_400))
    #expect(recorder.values == (timed == .timeout ? [1] : []))
    #expect(recorder.ends == [])
  }
}
