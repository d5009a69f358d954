import Commands
import Streams

extension Shape {
  /// A command with a synchronous handler and one reaction, beside so many other types of command, each with a handler and a
  /// reaction of its own.
  static func command(beside others: Int) -> Shape {
    Shape("command-beside-\(others)", events: 20_000) { events in
      let tally = Tally()
      let engine = Engine()
      let idle = try DifferentTypes.prefix(others).map { try register($0, with: engine) }
      try engine.use(Add.self, synchronously: { command, _ in command.left &+ command.right })
      let token = engine.react(to: Add.self) { _ in tally.increment() }
      return Run {
        for event in 0..<events { engine.execute(Add(left: event, right: 1)) }
      } proofs: {
        [
          Proof("reactions", tally.count, is: events),
          Proof("listeners", (idle + [token]).count { $0.isActive }, is: others + 1),
        ]
      }
    }
  }

  private static func register<Kind>(_ kind: Kind.Type, with engine: Engine) throws -> Subscription {
    try engine.use(Idle<Kind>.self, synchronously: { _, _ in 0 })
    return engine.react(to: Idle<Kind>.self) { _ in }
  }
}

private struct Add: Command {
  typealias Output = Int
  var left: Int
  var right: Int
}

/// A command that nobody executes.
private struct Idle<Kind>: Command {
  typealias Output = Int
}
