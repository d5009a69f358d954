import RASPCommands
import Streams

private protocol Policy: Sendable {
  static var policy: OverlapPolicy { get }
}

private enum Beside: Policy { static let policy = OverlapPolicy.concurrent }
private enum Newest: Policy { static let policy = OverlapPolicy.newest }
private enum First: Policy { static let policy = OverlapPolicy.first }
private enum Serial: Policy { static let policy = OverlapPolicy.serial }

/// A command that takes time, for a lamp.
private struct Slow<Kind: Policy>: Command {
  typealias Output = Int
  static var overlap: OverlapPolicy { Kind.policy }
  static var timeLimit: Duration? { .milliseconds(2) }

  let number: Int
  let lamp: Int?
  let rest: Duration

  var overlapKey: (any Hashable & Sendable)? { lamp }
}

/// Commands that take virtual time, overlap by lamps, are cancelled and take too long: when each began and ended, and
/// how.
struct Overlaps: Sendable {
  let stage: Timed
  let engine: Engine

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    await Timed.run(numbers, transcript) { stage in
      let program = Overlaps(stage: stage, engine: Engine(scheduler: stage.time))
      switch numbers.below(4) {
      case 0: try await program.run(Beside.self)
      case 1: try await program.run(Newest.self)
      case 2: try await program.run(First.self)
      default: try await program.run(Serial.self)
      }
      program.engine.invalidate()
    }
  }

  private func run<Kind: Policy>(_: Kind.Type) async throws {
    engine.errorHandler = { stage.note(EngineError.text($0), by: "reports") }
    try engine.use(Slow<Kind>.self) { command, publish in
      stage.note("begins", by: "\(command.number)")
      publish(data: -1 - command.number)
      try await stage.sleep(command.rest)
      if command.number % 5 == 4 { throw Fault(code: command.number) }
      return command.number
    }
    let token = engine.events(of: Slow<Kind>.self).subscribe { event in
      // One begins at the instant at which another one ends, with `serial`.
      stage.note(event.text, by: (event.output ?? 0) < 0 ? "begun" : "ended")
    }
    var executions: [Execution<Int>] = []
    for number in 0..<stage.numbers.within(2...20) {
      let command = Slow<Kind>(number: number, lamp: stage.numbers.pick([nil, 1, 2]), rest: stage.span(3_000_000))
      executions.append(engine.execute(command))
      await stage.time.run(for: stage.span(1_000_000))
      guard stage.numbers.once(in: 6) else { continue }
      let index = stage.numbers.below(executions.count)
      stage.note("cancel: \(executions[index].cancel())", by: "\(index)")
      await stage.time.run(for: .nanoseconds(1))
    }
    await stage.time.run(for: .seconds(1))
    for (index, execution) in executions.enumerated() { stage.note(execution.outcome?.text ?? "runs", by: "\(index)") }
    token.cancel()
  }
}
