import RASPCommands
import Streams

/// The command that is executed.
private struct Add: Command {
  typealias Output = Int

  let left: Int
  let right: Int
}

/// Another command for each number.
private struct Other<Number: Numeral>: Command {
  typealias Output = Int
}

extension Engine {
  /// A handler and a reaction that have nothing to do with the command that is executed.
  fileprivate func listen<Number: Numeral>(to _: Number.Type, _ tally: Tally) throws -> Subscription {
    try use(Other<Number>.self, synchronously: { _, _ in 1 })
    return react(to: Other<Number>.self, consume: { tally.increment(by: $0) })
  }

  fileprivate func executeOther<Number: Numeral>(_: Number.Type) {
    execute(Other<Number>())
  }
}

extension Shape {
  /// A synchronous command with one reaction, in an engine in which so many other commands have a handler and a
  /// reaction.
  static func command(besideOthers others: Int) -> Shape {
    Shape(events: 20_000) { events in
      let tally = Tally()
      let otherTally = Tally()
      let engine = Engine()
      // Ours come last, which would be the worst place in a list.
      let otherSubscriptions = try (0..<others).map { try engine.listen(to: numeral($0), otherTally) }
      try engine.use(Add.self, synchronously: { command, _ in command.left &+ command.right })
      let subscription = engine.react(to: Add.self, consume: { tally.increment(by: $0) })
      return Run {
        for event in 1...events { engine.execute(Add(left: event, right: 1)) }
      } proofs: {
        let disturbed = otherTally.count
        for other in 0..<others { engine.executeOther(numeral(other)) }
        return [
          Proof("sum of the results", tally.count, is: events * (events + 3) / 2),
          Proof("results of other commands, before they were executed", disturbed, is: 0),
          Proof("results of other commands, executed once each", otherTally.count, is: others),
          Proof("subscriptions", (otherSubscriptions + [subscription]).count { $0.isActive }, is: others + 1),
        ]
      }
    }
  }
}
