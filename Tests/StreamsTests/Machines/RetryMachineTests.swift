import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("Machines: retry")
struct RetryMachineTests {
  private typealias Machine = RetryMachine<Int, TestError>

  private func machine(_ limit: Int, delay: RetryDelay = .none) -> Machine {
    Machine(Observable(attach: { _ in }), RetryRule(limit: limit, delay: delay, recovery: .never))
  }

  @Test("Each failure follows the source again, as the next input, until the limit; then it is the result's")
  func limit() {
    for limit in [-1, 0, 1, 5] {
      var machine = machine(limit)
      var clock = StageClock(nil)
      for input in 0..<max(0, limit) {
        #expect(machine.receive(.value(input, from: input), &clock).output == input)
        let action = machine.receive(.ended(.failed(TestError(code: input)), input: input), &clock)
        #expect(action.followed?.input == input + 1)
        #expect(action.end == nil)
        #expect(machine.wakeAt == nil)
      }
      let last = machine.receive(.ended(.failed(TestError(code: 7)), input: max(0, limit)), &clock)
      #expect(last.end == .failed(TestError(code: 7)))
      #expect(last.followed == nil)
    }
  }

  @Test("A delay waits before the next try, and the source is followed when it is over")
  func delay() {
    let scheduler = VirtualScheduler()
    var machine = machine(3, delay: .exponential(from: .seconds(1)))
    for (input, wakeAt) in [(0, 1), (1, 3), (2, 7)] {
      var clock = StageClock(scheduler)
      let action = machine.receive(.ended(.failed(TestError()), input: input), &clock)
      #expect(action.followed == nil)
      #expect(action.end == nil)
      #expect(machine.wakeAt == .seconds(wakeAt))
      scheduler.advance(by: .seconds(wakeAt) - scheduler.now)
      clock = StageClock(scheduler)
      #expect(machine.receive(.woken, &clock).followed?.input == input + 1)
      #expect(machine.wakeAt == nil)
    }
  }

  @Test("A stream that finishes is not tried again")
  func finish() {
    var machine = machine(3)
    var clock = StageClock(nil)
    #expect(machine.receive(.ended(.finished, input: 0), &clock).end == .finished)
  }

  @Test("A source that fails as soon as it is subscribed to is tried with constant stack")
  func constantStack() {
    let tries = Counter()
    let source = Observable<Int, TestError>(attach: { observer in
      observer.send(tries.increment())
      observer.end(.failed(TestError()))
    })
    let recorder = Recorder(source.retry(100_000).prefix(100_001))
    #expect(recorder.values.last == 100_001)
    #expect(tries.value == 100_001)
    let failing = Counter()
    let never = Observable<Int, TestError>(attach: { observer in
      failing.increment()
      observer.end(.failed(TestError(code: failing.value)))
    })
    #expect(Recorder(never.retry(100_000)).end == .failed(TestError(code: 100_001)))
  }

  @Test("Tries that wait on a scheduler that runs everything at once take constant stack, too")
  func constantStackInTime() {
    let tries = Counter()
    let failing = Observable<Int, TestError>(attach: { observer in
      observer.send(tries.increment())
      observer.end(.failed(TestError()))
    })
    let recorder = Recorder(failing.retry(20_000, delay: .constant(.seconds(1)), on: LeapingScheduler()))
    #expect(recorder.values.count == 20_001)
    #expect(recorder.end == .failed(TestError()))
  }

  @Test("An endless source that sends at once ends with the prefix behind a retry, a merge and a switch")
  func endless() {
    let sent = Counter()
    let endless = Observable<Int, TestError>(attach: { observer in
      while observer.lifetime.isActive { observer.send(sent.increment()) }
    })
    let streams: [Observable<Int, TestError>] = [
      endless.retry(3),
      Observable.merge(endless, endless),
      Observable<Observable<Int, TestError>, TestError>(attach: { $0.send(endless) }).switchToLatest(),
    ]
    for stream in streams {
      let before = sent.value
      #expect(Recorder(stream.prefix(3)).values.count == 3)
      #expect(sent.value - before == 3)
    }
  }
}

@Suite("Machines: the outages of a retry")
struct RetryRecoveryMachineTests {
  private typealias Machine = RetryMachine<Int, TestError>

  private func bench(_ recovery: RetryRecovery, if isTransient: @escaping @Sendable (TestError) -> Bool = { _ in true })
    -> MachineBench<Machine>
  {
    let delay = RetryDelay { .seconds($0 + 1) }
    return MachineBench(Machine(.never, RetryRule(limit: 2, delay: delay, recovery: recovery), if: isTransient))
  }

  @Test("S-RETRY-01: a value ends an outage, so the next failure waits the first delay")
  func value() {
    var retry = bench(.value)
    #expect(retry(.failed(0)) == "wake 1")
    #expect(retry(.woken, at: 1) == "follow 1")
    #expect(retry(.failed(1), at: 1) == "wake 3")
    #expect(retry(.woken, at: 3) == "follow 2")
    #expect(retry(.value(5, from: 2), at: 3) == "send 5")
    #expect(retry(.failed(2), at: 3) == "wake 4")
  }

  @Test("S-RETRY-01: without recovery all failures belong to one outage; what is not transient is the end")
  func never() {
    var retry = bench(.never)
    for input in 0..<2 {
      #expect(retry(.value(1, from: input), at: 100 * input) == "send 1")
      #expect(retry(.failed(input), at: 100 * input) == "wake \(100 * input + input + 1)")
      #expect(retry(.woken, at: 100 * input + input + 1) == "follow \(input + 1)")
    }
    #expect(retry(.failed(2), at: 300) == "fail")
    var strict = bench(.value, if: { _ in false })
    #expect(strict(.failed(0)) == "fail")
  }
}
