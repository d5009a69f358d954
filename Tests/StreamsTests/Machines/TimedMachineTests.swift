import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// An event at an instant, as a test writes it down.
private enum Happening: Sendable, CustomStringConvertible {
  case value(Int)
  case tick
  case finish
  case fail
  /// The shell wakes the machine, at the instant it wanted or later.
  case wake

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .tick: "tick"
    case .finish: "|"
    case .fail: "^"
    case .wake: "wake"
    }
  }
}

/// What a machine answered, and when it wants to be woken.
private struct Answer: Equatable, Sendable, CustomStringConvertible {
  var sent: Int?
  var end: StreamEnd<TestError>?
  var wakeAt: Int?

  var description: String {
    "send \(sent.map { "\($0)" } ?? "–") end \(end.map { "\($0)" } ?? "–") wake \(wakeAt.map { "\($0)" } ?? "–")"
  }

  static func send(_ value: Int, wake: Int? = nil) -> Self { Answer(sent: value, wakeAt: wake) }
  static func wake(_ instant: Int) -> Self { Answer(wakeAt: instant) }
  static let nothing = Answer()
  static func finish(_ value: Int? = nil) -> Self { Answer(sent: value, end: .finished) }
  static let fail = Answer(end: .failed(TestError(code: 9)))
}

/// A machine, its time, and what it has answered so far.
private struct Bench<Machine: StageMachine> where Machine.Output == Int, Machine.Failure == TestError {
  var machine: Machine
  let scheduler = VirtualScheduler()
  let input: (Happening) -> Machine.Input?
  var seconds = 0

  init(_ machine: Machine, input: @escaping (Happening) -> Machine.Input?) {
    self.machine = machine
    self.input = input
  }

  mutating func receive(_ happening: Happening, at second: Int) -> Answer {
    if second > seconds { scheduler.advance(by: .seconds(second - seconds)) }
    seconds = max(second, seconds)
    var clock = StageClock(scheduler)
    let event: Machine.Event? =
      switch happening {
      case .value, .tick: input(happening).map { .value($0, from: happening.input) }
      case .finish: .ended(.finished, input: 0)
      case .fail: .ended(.failed(TestError(code: 9)), input: 0)
      case .wake: .woken
      }
    guard let event else { return .nothing }
    let action = machine.receive(event, &clock)
    #expect(action.followed == nil)
    return Answer(
      sent: action.output,
      end: action.end,
      wakeAt: action.end == nil ? machine.wakeAt.map { Int($0.components.seconds) } : nil
    )
  }

  mutating func expect(_ steps: [(Int, Happening, Answer)], sourceLocation: SourceLocation = #_sourceLocation) {
    for (second, happening, answer) in steps {
      let given = receive(happening, at: second)
      #expect(given == answer, "\(happening) at \(second)", sourceLocation: sourceLocation)
    }
  }
}

extension Happening {
  fileprivate var input: Int { if case .tick = self { 1 } else { 0 } }
}

private func plain(_ happening: Happening) -> Int? {
  if case .value(let value) = happening { value } else { nil }
}

@Suite("Machines: time")
struct TimedMachineTests {
  @Test("Debounce: each value begins the quiet time anew; an end sends what waits, a failure drops it")
  func debounce() {
    var bench = Bench(DebounceMachine<Int, TestError>(quiet: .seconds(2)), input: plain)
    bench.expect([
      (0, .value(1), .wake(2)), (1, .value(2), .wake(3)), (3, .wake, .send(2)), (3, .value(3), .wake(5)),
      (9, .wake, .send(3)), (9, .finish, .finish()),
    ])
    bench = Bench(DebounceMachine(quiet: .seconds(2)), input: plain)
    bench.expect([(0, .value(1), .wake(2)), (1, .finish, .finish(1))])
    bench = Bench(DebounceMachine(quiet: .seconds(2)), input: plain)
    bench.expect([(0, .value(1), .wake(2)), (1, .fail, .fail)])
    bench = Bench(DebounceMachine(quiet: .seconds(-5)), input: plain)
    bench.expect([(4, .value(1), .wake(4)), (4, .wake, .send(1))])
  }

  @Test("Throttle: the first value opens a window, and its end sends the newest and opens the next")
  func throttle() {
    var bench = Bench(ThrottleMachine<Int, TestError>(window: .seconds(3), latest: true), input: plain)
    bench.expect([
      (0, .value(1), .send(1)), (1, .value(2), .wake(3)), (2, .value(3), .wake(3)), (3, .wake, .send(3)),
      (5, .value(4), .wake(6)), (8, .wake, .send(4)), (10, .value(5), .wake(11)), (10, .finish, .finish(5)),
    ])
    bench = Bench(ThrottleMachine(window: .seconds(3), latest: true), input: plain)
    bench.expect([(0, .value(1), .send(1)), (3, .value(2), .send(2)), (4, .value(3), .wake(6)), (4, .fail, .fail)])
    bench = Bench(ThrottleMachine(window: .seconds(3), latest: false), input: plain)
    bench.expect([
      (0, .value(1), .send(1)), (2, .value(2), .nothing), (3, .value(3), .send(3)), (4, .finish, .finish()),
    ])
    bench = Bench(ThrottleMachine(window: .seconds(-1), latest: true), input: plain)
    bench.expect([(0, .value(1), .send(1)), (0, .value(2), .send(2))])
  }

  @Test("Timeout: it wants to be woken from the start, each value puts it off, and an end stops it")
  func timeout() {
    func machine(_ limit: Duration) -> TimeoutMachine<Int, TestError> {
      TimeoutMachine(limit: limit, now: .zero) { TestError(code: 9) }
    }
    var bench = Bench(machine(.seconds(2)), input: plain)
    #expect(bench.machine.wakeAt == .seconds(2))
    bench.expect([
      (1, .value(1), .send(1, wake: 3)), (2, .value(2), .send(2, wake: 4)), (4, .wake, .fail),
    ])
    #expect(bench.machine.wakeAt == nil)
    bench = Bench(machine(.seconds(2)), input: plain)
    bench.expect([(1, .finish, .finish())])
    #expect(bench.machine.wakeAt == nil)
    #expect(machine(.seconds(-3)).wakeAt == .zero)
  }

  @Test("Delay: values and the end keep their distances, a failure drops what waits")
  func delay() {
    var bench = Bench(DelayMachine<Int, TestError>(delay: .seconds(3)), input: plain)
    bench.expect([
      (0, .value(1), .wake(3)), (1, .value(2), .wake(3)), (2, .finish, .wake(3)), (3, .wake, .send(1, wake: 4)),
      (4, .wake, .send(2, wake: 5)), (5, .wake, .finish()),
    ])
    #expect(bench.machine.wakeAt == nil)
    bench = Bench(DelayMachine(delay: .seconds(3)), input: plain)
    bench.expect([(0, .value(1), .wake(3)), (1, .fail, .fail)])
  }

  @Test("Sample: a tick sends what no tick has sent, once; the end of the ticks ends nothing")
  func sample() {
    var bench = Bench(SampleMachine<Int, TestError>()) { happening in
      switch happening {
      case .value(let value): .first(value)
      case .tick: .second(())
      default: nil
      }
    }
    bench.expect([
      (0, .tick, .nothing), (0, .value(1), .nothing), (0, .value(2), .nothing), (1, .tick, .send(2)),
      (2, .tick, .nothing), (3, .value(3), .nothing),
    ])
    var clock = StageClock(nil)
    let ticksEnded = bench.machine.receive(.ended(.finished, input: 1), &clock)
    #expect(ticksEnded.end == nil)
    bench.expect([(4, .finish, .finish(3))])
    #expect(bench.machine.wakeAt == nil)
  }

  @Test("The time of an event stands still, and is asked for only where it is needed")
  func clock() {
    let scheduler = VirtualScheduler()
    var clock = StageClock(scheduler)
    #expect(clock.now() == .zero)
    scheduler.advance(by: .seconds(1))
    #expect(clock.now() == .zero)
  }
}
