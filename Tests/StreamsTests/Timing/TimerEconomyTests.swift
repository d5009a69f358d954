import RASPTesting
import Streams
import Testing

/// How many timers the operators ask for: a busy stream must not cost one for each value.
@Suite("Timers of operators")
struct TimerEconomyTests {
  private let counter = ScheduleCounter()
  private let subject = Subject<Int, MarbleFailure>()

  @Test("a burst of a million values at one instant schedules one timer")
  func burst() {
    let recorder = Recorder(subject.debounce(for: .seconds(1), on: counter))
    for value in 1...1_000_000 { subject.send(value) }
    #expect(counter.count == 1)
    #expect(counter.time.pending.count == 1)
    counter.time.run()
    #expect(recorder.values == [1_000_000])
  }

  @Test(
    "ten seconds of a value each millisecond: about one timer per duration, and never two pending",
    arguments: [TimedOperator.throttle, .throttleFirst, .debounce, .delay, .timeout, .sample]
  )
  func stream(timed: TimedOperator) {
    let recorder = Recorder(timed.apply(to: subject.observable, on: counter))
    for value in 0..<10_000 {
      subject.send(value)
      #expect(counter.time.pending.count <= 1)
      counter.time.advance(by: .milliseconds(1))
    }
    subject.finish()
    counter.time.run()
    #expect(recorder.ends == [.finished])
    switch timed {
    // Each value has an instant of its own to come out at.
    case .delay: #expect(counter.count <= 10_001)
    case .throttleFirst: #expect(counter.count == 0)
    default: #expect((9...12).contains(counter.count), "\(counter.count)")
    }
  }
}
