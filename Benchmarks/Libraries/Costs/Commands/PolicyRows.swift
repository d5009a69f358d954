import CostRows
import RASPCommands
import RASPTesting
import Streams

/// The rows of commands with a policy: what happens when they overlap, and how long they may take.
let policyRows = [
  CostRow("cmd.execute.newest", "Engine.execute, overlap .newest", should: 1_500) { _ in
    repeated(Search(words: 1))
  },
  CostRow("cmd.execute.serial", "Engine.execute, overlap .serial", should: 1_500) { _ in
    repeated(Save(words: 1))
  },
  CostRow("cmd.execute.limited", "Engine.execute with a time limit, synchronous handler", should: 3_000) { _ in
    repeated(Load(words: 1), on: VirtualScheduler())
  },
  .together("cmd.execute.limited.continuous", "Engine.execute with a time limit, system clock", should: 5_000) { _ in
    let repeated = repeated(Load(words: 1))
    return { count in repeated(count) }
  },
]

private protocol Wordy: Command where Output == Int {
  var words: Int { get }
}

private struct Search: Wordy {
  typealias Output = Int
  static let overlap = OverlapPolicy.newest
  let words: Int
}

private struct Save: Wordy {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
  let words: Int
}

private struct Load: Wordy {
  typealias Output = Int
  static let timeLimit: Duration? = .seconds(100)
  let words: Int
}

@inline(__always)
private func repeated<CommandType: Wordy>(
  _ command: CommandType,
  on scheduler: some Scheduler = .continuous
) -> (Int) -> Void {
  let engine = Engine(scheduler: scheduler)
  engine.handle(CommandType.self) { command, _ in command.words }
  let sink = Sink()
  let token = engine.react(to: CommandType.self, consume: { sink.see($0) })
  return { count in
    for _ in 0..<count { engine.execute(command) }
    withExtendedLifetime(token) {}
  }
}
