import RASPCommands

/// Takes passengers across, and says how many there are.
struct Cross: Command, Equatable {
  typealias Output = [String]
  var passengers: [String]
}

/// Nothing comes of it.
struct Ring: Command {
  typealias Output = Void
  var times = 1
}

struct Crossed: Fact, Equatable {
  var count: Int
}

struct Storm: Error, Equatable {}

/// Rings, crosses, and tells of it.
struct CrossHandler: CommandHandler {
  func handle(_ command: Cross, publish: Publisher<Cross>) throws -> [String] {
    publish(.progress)
    if command.passengers.contains("Jonah") { throw Storm() }
    publish(data: Array(command.passengers.prefix(1)))
    publish.engine.execute(Ring(times: 2))
    publish.engine.post(Crossed(count: command.passengers.count))
    return command.passengers
  }
}

/// Greets each passenger.
struct Greet: ActionCommand {
  var name: String

  func handle(publish: Publisher<Greet>) throws -> String { "Hello, \(name)" }
}
