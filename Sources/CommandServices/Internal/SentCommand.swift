import Commands
import Services

/// A type of command that an engine is sending as an action, as the task that does it knows: how a store finds out that it
/// is about to execute what it was sent by the very handler it would get it to.
struct SentCommand: Hashable, Sendable {
  /// Not a global: each task has its own, and its child tasks and executions inherit it.
  @TaskLocal private static var onTheWay: Set<SentCommand> = []

  private let engine: ObjectIdentifier
  private let command: ObjectIdentifier

  private init(_ command: any Command.Type, of engine: Engine) {
    self.engine = engine.id
    self.command = ObjectIdentifier(command)
  }

  static func send<Sent: Command & Services.Action>(
    _ command: Sent,
    from engine: Engine,
    with send: Send
  ) async throws {
    try await $onTheWay.withValue(onTheWay.union([SentCommand(Sent.self, of: engine)])) {
      try await send(command)
    }
  }

  static func checkThatItIsNotComingBack(_ command: any Command.Type, to engine: Engine) throws(CircularCommandError) {
    if onTheWay.contains(SentCommand(command, of: engine)) { throw CircularCommandError(command: command) }
  }
}
