import RASPTesting
import Streams
import TestSupport
import Testing

/// What a configuration file may say must not bring the process down.
@Suite("Durations at the edge")
struct ExtremeDurationTests {
  static let huge: [Duration] = [.seconds(Int64.max), Duration(attoseconds: .max)]

  @Test("Virtual time: a tick or a delay beyond the end of time never comes", arguments: huge)
  func virtual(duration: Duration) {
    let time = VirtualScheduler()
    time.advance(by: .seconds(1))
    let interval = Recorder(.interval(duration, on: time))
    let timer = Recorder(.timer(after: duration, on: time))
    time.advance(by: .seconds(1_000_000))
    #expect(interval.records.isEmpty)
    #expect(timer.records.isEmpty)
  }

  @Test("Virtual time may be moved as far as one likes, again and again", arguments: huge)
  func advance(duration: Duration) {
    let time = VirtualScheduler()
    let recorder = Recorder(.interval(.seconds(Int64.max), on: time).prefix(2))
    for _ in 0..<40 { time.advance(by: duration) }
    #expect(recorder.values.first == 0)
    #expect(time.now > .seconds(1))
  }

  @Test("Real clocks: neither traps nor fires at once", arguments: huge)
  func real(duration: Duration) async {
    let fired = Counter()
    let tokens = [
      Observable.interval(duration).subscribe { _ in fired.increment() },
      Observable.interval(duration, on: .suspending).subscribe { _ in fired.increment() },
      Observable.timer(after: duration).subscribe { fired.increment() },
      ClockScheduler(ContinuousClock()).schedule(at: duration) { fired.increment() },
    ]
    let sleeper = Task { try await ClockScheduler(ContinuousClock()).sleep(until: duration) }
    for _ in 0..<500 { await Task.yield() }
    #expect(fired.value == 0)
    for token in tokens { token.cancel() }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("Real clocks: an instant far in the past runs at once", arguments: huge)
  func past(duration: Duration) async {
    let ran = Latch()
    let token = ClockScheduler(ContinuousClock()).schedule(at: .zero - duration) { ran.open() }
    await ran.wait()
    token.cancel()
  }
}
