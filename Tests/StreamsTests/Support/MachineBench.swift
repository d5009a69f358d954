import RASPTesting
import TestSupport

@testable import Streams

/// A machine, its time, and its answers as texts: what is sent, followed and ended, and when it wants to be woken.
struct MachineBench<Machine: StageMachine> where Machine.Failure == TestError {
  var machine: Machine
  let time = VirtualScheduler()
  let text: (Machine.Output) -> String

  init(_ machine: Machine, _ text: @escaping (Machine.Output) -> String = { "\($0)" }) {
    self.machine = machine
    self.text = text
  }

  mutating func callAsFunction(_ event: Machine.Event, at second: Int = 0) -> String {
    time.advance(to: max(time.now, .seconds(second)))
    var clock = StageClock(time)
    let action = machine.receive(event, &clock)
    let wakeAt = action.end == nil ? machine.wakeAt : nil
    return [
      action.output.map { "send \(text($0))" },
      action.followed.map { "follow \($0.input)" },
      action.end.map { $0 == .finished ? "finish" : "fail" },
      wakeAt.map { "wake \($0.components.seconds)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

extension StageEvent where Failure == TestError {
  static func finished(_ input: Int) -> Self { .ended(.finished, input: input) }
  static func failed(_ input: Int) -> Self { .ended(.failed(TestError()), input: input) }
}
