import RASPCommands
import RASPServices
import Synchronization

/// A command that an engine is sending as an action, as the task that sends knows it. A store finds out from it that it
/// is about to execute the command whose handler has sent to it.
///
/// Safe to share: the part that changes is atomic.
final class SentCommand: Sendable {
  /// Each task has its own list. Its child tasks and executions inherit it.
  @TaskLocal private static var current: [SentCommand] = []

  private let engine: ObjectIdentifier
  private let command: ObjectIdentifier
  /// Set when the `send` is over. A task that was started meanwhile inherits the command and may live longer. It may
  /// then execute the command again.
  private let isOver = Atomic<Bool>(false)

  private init(_ command: any Command.Type, of engine: Engine) {
    self.engine = engine.id
    self.command = ObjectIdentifier(command)
  }

  private var isSending: Bool { !isOver.load(ordering: .acquiring) }

  /// Sends the action that an engine has made of a command.
  static func send(
    _ action: any RASPServices.Action,
    for command: any Command.Type,
    from engine: Engine,
    with send: Send
  ) async throws {
    let sent = SentCommand(command, of: engine)
    defer { sent.isOver.store(true, ordering: .releasing) }
    try await $current.withValue(current.filter(\.isSending) + [sent]) {
      try await send(action)
    }
  }

  static func checkForCircle(_ command: any Command.Type, to engine: Engine) throws(CircularCommandError) {
    let (engine, key) = (engine.id, ObjectIdentifier(command))
    if current.contains(where: { $0.engine == engine && $0.command == key && $0.isSending }) {
      throw CircularCommandError(command: command)
    }
  }
}
