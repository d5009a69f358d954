import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("timer")
struct TimerTests {
  @Test("TIME-01: fires once after its delay and completes")
  func once() {
    let time = VirtualScheduler()
    let recorder = Recorder(.timer(after: .seconds(3), on: time), on: time)
    time.advance(by: .milliseconds(2_999))
    #expect(recorder.records.isEmpty)
    time.advance(by: .seconds(10))
    #expect(recorder.values.count == 1)
    #expect(recorder.ends == [.finished])
    #expect(recorder.records.map(\.instant) == [.seconds(3), .seconds(3)])
  }

  @Test(
    "A delay that is not positive still goes by way of the scheduler",
    arguments: [Duration.zero, .seconds(-5)]
  )
  func noDelay(delay: Duration) {
    let time = VirtualScheduler()
    time.advance(by: .seconds(1))
    let recorder = Recorder(.timer(after: delay, on: time), on: time)
    #expect(recorder.records.isEmpty)
    time.advance(by: .zero)
    #expect(recorder.values.count == 1)
    #expect(recorder.records.first?.instant == .seconds(1))
  }

  @Test("Each subscription waits for itself; cancelling drops the action and what it captured")
  func cancel() {
    let time = VirtualScheduler()
    let tracker = LifetimeTracker()
    let stream = Observable.timer(after: .seconds(1), on: time)
    let token = stream.subscribe { [object = tracker.make()] in _ = object }
    time.advance(by: .milliseconds(500))
    let recorder = Recorder(stream, on: time)
    token.cancel()
    #expect(tracker.liveCount == 0)
    #expect(time.pending == [.milliseconds(1_500)])
    time.run()
    #expect(recorder.values.count == 1)
  }

  @Test("An end inside the tick is the only end")
  func cancelInside() {
    let time = VirtualScheduler()
    let recorder = Recorder(Observable.timer(after: .seconds(1), on: time).prefix(1), on: time)
    time.run()
    #expect(recorder.values.count == 1)
    #expect(recorder.ends == [.finished])
  }
}
