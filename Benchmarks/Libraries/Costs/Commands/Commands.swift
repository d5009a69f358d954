import CostRows
import RASPCommands
import Streams

/// The command of most rows. It has one result.
struct Add: Command {
  typealias Output = Int

  let left: Int
}

/// The fact of most rows.
struct Added: Fact {
  let amount: Int
}

extension Engine {
  /// An engine whose handler of ``Add`` never waits.
  static func adding() -> Engine {
    let engine = Engine()
    engine.handle(Add.self) { command, _ in command.left &+ 1 }
    return engine
  }

  /// Registers a handler that never waits.
  func handle<CommandType: Command>(
    _ type: CommandType.Type,
    _ handler: @escaping @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  ) {
    _ = must { try use(type, synchronously: handler) }
  }

  /// Registers a handler that waits.
  func handleLater<CommandType: Command>(
    _ type: CommandType.Type,
    _ handler: @escaping @Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output
  ) {
    _ = must { try use(type, handler: handler) }
  }
}
