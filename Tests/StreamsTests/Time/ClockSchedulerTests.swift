import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Time of a clock")
struct ClockSchedulerTests {
  private let clock = ManualClock()

  @Test("An origin can be given, so that schedulers of any clock count from one instant")
  func givenOrigin() {
    let origin = clock.now
    clock.time.advance(by: .seconds(4))
    #expect(ClockScheduler(clock, origin: origin).now == .seconds(4))
  }

  @Test("Instants count from when the scheduler was made, if the clock is one of the user")
  func origin() {
    let scheduler = ClockScheduler(clock)
    #expect(scheduler.now == .zero)
    clock.time.advance(by: .seconds(4))
    #expect(scheduler.now == .seconds(4))
    #expect(ClockScheduler(clock).now == .zero)
  }

  @Test("TIME-01, TIME-10: an interval and a timer on a clock of the user")
  func ticks() async {
    let scheduler = ClockScheduler(clock)
    let recorder = Recorder(.interval(.seconds(1), on: scheduler))
    for count in 1...3 {
      await clock.advance(by: .seconds(1))
      #expect(await eventually { recorder.values.count == count })
    }
    #expect(recorder.values == [0, 1, 2])
    recorder.cancel()
    let timer = Recorder(.timer(after: .seconds(5), on: scheduler))
    #expect(await eventually { clock.time.pending.count == 1 })
    clock.time.advance(by: .seconds(5))
    #expect(await eventually { timer.ends.count == 1 })
    #expect(timer.values.count == 1)
  }

  @Test("TIME-03: a clock that jumps gives one tick, and the next one in phase")
  func jump() async {
    let recorder = Recorder(.interval(.seconds(1), on: ClockScheduler(clock)))
    await clock.advance(by: .milliseconds(3_500))
    #expect(await eventually { recorder.values == [0] && !clock.time.pending.isEmpty })
    #expect(clock.time.pending == [.seconds(4)])
    await clock.advance(by: .milliseconds(500))
    #expect(await eventually { recorder.values == [0, 1] })
  }

  @Test("Cancelling wakes the sleeping task, drops the action and what it captured")
  func cancel() async {
    let tracker = LifetimeTracker()
    let ran = Counter()
    let token = ClockScheduler(clock).schedule(at: .seconds(1)) { [object = tracker.make()] in
      _ = object
      ran.increment()
    }
    _ = await eventually { clock.time.pending.count == 1 }
    token.cancel()
    #expect(await eventually { tracker.liveCount == 0 })
    clock.time.advance(by: .seconds(2))
    for _ in 0..<100 { await Task.yield() }
    #expect(ran.value == 0)
  }

  @Test("An instant that has passed runs as soon as possible")
  func past() async {
    let ran = Latch()
    let token = ClockScheduler(clock).schedule(at: .seconds(-1)) { ran.open() }
    await ran.wait()
    withExtendedLifetime(token) {}
  }
}

/// Beside no virtual time, which would tell of the timers.
@Suite("Time of the clocks of the standard library")
struct RealClockTests {
  @Test("All schedulers of one clock of the standard library count from one origin, so their instants can be compared")
  func commonOrigin() async {
    // A scheduler that counts from its own making would be behind an instant that the first one has reached.
    let continuous = await reached(.milliseconds(20), on: .continuous)
    #expect(ClockScheduler.continuous.now >= continuous)
    #expect(ClockScheduler(ContinuousClock()).now >= continuous)
    let suspending = await reached(.milliseconds(20), on: .suspending)
    #expect(ClockScheduler.suspending.now >= suspending)
    #expect(ClockScheduler(SuspendingClock()).now >= suspending)
  }

  /// Returns an instant of the scheduler that is at least `distance` behind its origin, once it has come.
  private func reached(_ distance: Duration, on scheduler: some Scheduler) async -> Duration {
    let instant = scheduler.now + distance
    let gate = Latch()
    let token = scheduler.schedule(at: instant) { gate.open() }
    await gate.wait()
    withExtendedLifetime(token) {}
    return instant
  }

  @Test("An instant that has passed runs as soon as possible")
  func past() async {
    let ran = Latch()
    let token = ClockScheduler(ContinuousClock()).schedule(at: .seconds(-1)) { ran.open() }
    await ran.wait()
    withExtendedLifetime(token) {}
  }
}
