import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Virtual time")
struct VirtualSchedulerTests {
  private let time = VirtualScheduler()
  private let log = Log<String>()

  private func note(_ text: String) -> @Sendable () -> Void {
    { [log, time] in log.note("\(text)@\(time.now.components.seconds)") }
  }

  @Test("TIME-05: at one instant in the order of scheduling, at different instants in time order")
  func order() {
    let tokens = [
      time.schedule(at: .seconds(2), note("c")),
      time.schedule(at: .seconds(1), note("a")),
      time.schedule(at: .seconds(2), note("d")),
      time.schedule(at: .seconds(1), note("b")),
    ]
    time.advance(by: .seconds(3))
    #expect(log.entries == ["a@1", "b@1", "c@2", "d@2"])
    #expect(time.now == .seconds(3))
    #expect(tokens.count == 4)
  }

  @Test("What an action schedules within the span runs in the same move, at its own instant")
  func nested() {
    let bag = SubscriptionBag()
    let later = note("later")
    let atOnce = note("at once")
    time.schedule(at: .seconds(1)) { [time, log] in
      log.note("first")
      time.schedule(at: .seconds(2), later).store(in: bag)
      time.schedule(at: .zero, atOnce).store(in: bag)
    }
    .store(in: bag)
    time.advance(by: .seconds(5))
    #expect(log.entries == ["first", "at once@1", "later@2"])
  }

  @Test("Nothing runs inside schedule; what is due now runs at the next move, also at a move by zero")
  func never() {
    let token = time.schedule(at: .seconds(-3), note("now"))
    #expect(log.count == 0)
    time.advance(by: .zero)
    #expect(log.entries == ["now@0"])
    token.cancel()
  }

  @Test("Cancelling or releasing the token drops the action and what it captured")
  func cancel() {
    let tracker = LifetimeTracker()
    let token = time.schedule(at: .seconds(1)) { [object = tracker.make()] in _ = object }
    var released: Subscription? = time.schedule(at: .seconds(1)) { [object = tracker.make()] in _ = object }
    #expect(tracker.liveCount == 2)
    #expect(released?.isActive == true)
    token.cancel()
    released = nil
    #expect(tracker.liveCount == 0)
    #expect(time.pending.isEmpty)
  }

  @Test("TIME-09: what a test forgot can be read")
  func pending() {
    let tokens = [3, 1, 2].map { time.schedule(at: .seconds($0)) {} }
    tokens[1].cancel()
    #expect(time.pending == [.seconds(2), .seconds(3)])
    time.advance(by: .seconds(2))
    #expect(time.pending == [.seconds(3)])
    // Releasing a token cancels; an optimised build releases it after its last use.
    withExtendedLifetime(tokens) {}
  }

  @Test("run goes on until nothing is left, or the limit is reached")
  func run() {
    let recorder = Recorder(.interval(.seconds(1), on: time))
    #expect(!time.run(limit: 5))
    #expect(recorder.values.count == 5)
    #expect(time.now == .seconds(5))
    recorder.cancel()
    #expect(time.run())
    #expect(time.run(limit: -1))
  }

  @Test("Time never goes back")
  func forwardOnly() {
    time.advance(to: .seconds(5))
    time.advance(to: .seconds(2))
    time.advance(by: .seconds(-1))
    #expect(time.now == .seconds(5))
  }

  @Test("An action may move time itself")
  func nestedMove() {
    let bag = SubscriptionBag()
    time.schedule(at: .seconds(1)) { [time] in time.advance(by: .seconds(2)) }.store(in: bag)
    time.schedule(at: .seconds(2), note("inside")).store(in: bag)
    time.schedule(at: .seconds(4), note("after")).store(in: bag)
    time.advance(by: .seconds(2))
    #expect(log.entries == ["inside@2"])
    #expect(time.now == .seconds(3))
    time.advance(by: .seconds(1))
    #expect(log.entries == ["inside@2", "after@4"])
  }

  @Test("Scheduling from several threads loses nothing")
  func threads() async {
    let bag = SubscriptionBag()
    let ran = Counter()
    await Threads.run(count: 3) { [time] thread in
      for index in 0..<500 {
        time.schedule(at: .seconds(thread + index % 7)) { ran.increment() }.store(in: bag)
      }
    }
    time.run()
    #expect(ran.value == 1_500)
  }
}
