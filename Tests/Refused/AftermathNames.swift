// What a user of Aftermath writes first, and what the compiler answers. `.ci/run` has the compiler check that it
// refuses each line with the message that stands beside it, and nothing else.

import RASPCommands

struct Add: ActionCommand {
  func handle(publish: Publisher<Add>) throws -> Int { 1 }
}

struct Ask: Command {
  typealias Output = Int
}

struct AskHandler: CommandHandler {
  func handle(_ command: Ask, publish: Publisher<Ask>) throws -> Int { 1 }
}

struct Asked: Fact {}

func aftermathNames(engine: Engine) throws {
  // expected-error@+1 {{'execute(command:)' has been renamed to 'execute(_:)'}}
  _ = engine.execute(command: Ask())
  // expected-error@+1 {{'execute(action:)' has been renamed to 'execute(_:)'}}
  _ = engine.execute(action: Add())
  // expected-error@+1 {{'post(fact:)' has been renamed to 'post(_:)'}}
  engine.post(fact: Asked())
  // expected-error@+1 {{'use(handler:)' has been renamed to 'use(_:replacing:)'}}
  engine.use(handler: AskHandler())
}

/// What is right stays right: an unavailable declaration must not make a call of its neighbour ambiguous.
func ownNames(engine: Engine) throws {
  engine.execute(Ask())
  engine.execute(Add())
  engine.post(Asked())
  try engine.use(AskHandler())
  engine.react(to: Ask.self, consume: { print($0) }).cancel()
}
