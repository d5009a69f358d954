import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("interval")
struct IntervalTests {
  @Test("TIME-01: first after one period, then every period, counting from zero per subscription")
  func ticks() {
    let time = VirtualScheduler()
    let stream = Observable<Int, Never>.interval(.seconds(2), on: time)
    let first = Recorder(stream, on: time)
    #expect(first.values.isEmpty)
    time.advance(by: .seconds(3))
    let second = Recorder(stream, on: time)
    time.advance(by: .seconds(3))
    #expect(first.values == [0, 1, 2])
    #expect(first.records.map(\.instant) == [.seconds(2), .seconds(4), .seconds(6)])
    #expect(second.values == [0])
    #expect(second.records.map(\.instant) == [.seconds(5)])
  }

  @Test(
    "TIME-02: a period that is not positive is clamped, so virtual time gets ahead",
    arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min)]
  )
  func clamped(period: Duration) {
    let time = VirtualScheduler()
    let recorder = Recorder(.interval(period, on: time), on: time)
    time.advance(by: .milliseconds(10))
    #expect(recorder.values == Array(0..<10))
  }

  @Test(
    "TIME-03: ticks missed while one is handled are dropped, the phase is kept, the numbers count what was sent"
  )
  func slowHandler() {
    let time = VirtualScheduler()
    let recorder = Recorder(.interval(.seconds(1), on: time), on: time) { event in
      if case .value(1) = event { time.advance(by: .milliseconds(2_500)) }
    }
    time.advance(by: .seconds(7))
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(recorder.records.map(\.instant) == [1, 2, 5, 6, 7].map(Duration.seconds))
  }

  @Test("TIME-03: a handler that takes exactly a period misses the tick that is due at its end")
  func exactlyOnePeriod() {
    let time = VirtualScheduler()
    let recorder = Recorder(.interval(.seconds(1), on: time), on: time) { event in
      if case .value(0) = event { time.advance(by: .seconds(1)) }
    }
    time.advance(by: .seconds(4))
    #expect(recorder.records.map(\.instant) == [1, 3, 4].map(Duration.seconds))
  }

  @Test("TIME-03: a scheduler that is late shifts no tick, and skips those it is too late for")
  func lateScheduler() {
    let time = VirtualScheduler()
    let late = LateScheduler(time: time, delay: .milliseconds(300))
    let punctual = Recorder(.interval(.seconds(1), on: late), on: time)
    time.advance(by: .seconds(4))
    #expect(punctual.records.map(\.instant) == [1_300, 2_300, 3_300].map(Duration.milliseconds))

    let again = VirtualScheduler()
    let veryLate = LateScheduler(time: again, delay: .milliseconds(2_500))
    let skipping = Recorder(.interval(.seconds(1), on: veryLate), on: again)
    again.advance(by: .seconds(10))
    #expect(skipping.records.map(\.instant) == [3_500, 6_500, 9_500].map(Duration.milliseconds))
    #expect(skipping.values == [0, 1, 2])
  }

  @Test("A scheduler that is early fires no tick twice")
  func earlyScheduler() {
    let time = VirtualScheduler()
    let early = LateScheduler(time: time, delay: .milliseconds(-100))
    let recorder = Recorder(.interval(.seconds(1), on: early), on: time)
    time.advance(by: .seconds(3))
    #expect(recorder.records.map(\.instant) == [900, 1_900, 2_900].map(Duration.milliseconds))
    #expect(recorder.values == [0, 1, 2])
  }

  @Test("Cancelling, also from inside a tick, leaves nothing scheduled")
  func cancel() {
    let time = VirtualScheduler()
    let tracker = LifetimeTracker()
    let token = Observable.interval(.seconds(1), on: time).subscribe { [object = tracker.make()] _ in
      _ = object
    }
    time.advance(by: .seconds(2))
    #expect(time.pending == [.seconds(3)])
    token.cancel()
    #expect(time.pending.isEmpty)
    #expect(tracker.liveCount == 0)

    let recorder = Recorder(Observable.interval(.seconds(1), on: time).prefix(2), on: time)
    time.advance(by: .seconds(5))
    #expect(recorder.values == [0, 1])
    #expect(time.pending.isEmpty)
  }

  @Test("TIME-10: the stream uses the injected scheduler and nothing else")
  func injected() {
    let time = VirtualScheduler()
    let other = VirtualScheduler()
    let recorder = Recorder(.interval(.nanoseconds(1), on: time))
    other.advance(by: .seconds(1_000))
    #expect(recorder.values.isEmpty)
    #expect(other.pending.isEmpty)
    #expect(time.pending == [.nanoseconds(1)])
  }

  @Test("Cancelling against ticking: nothing is left scheduled, and no tick comes after the cancel")
  func race() async {
    for _ in 0..<rounds(5_000) {
      let time = VirtualScheduler()
      let ticks = Counter()
      let token = Observable.interval(.seconds(1), on: time).subscribe { _ in ticks.increment() }
      await Threads.run({ time.advance(by: .seconds(20)) }, { token.cancel() })
      let count = ticks.value
      time.advance(by: .seconds(20))
      #expect(ticks.value == count)
      #expect(time.pending.isEmpty)
    }
  }
}
