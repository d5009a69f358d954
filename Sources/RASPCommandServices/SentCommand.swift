public import RASPCommands
import RASPServices
import Synchronization

/// A command that an engine is sending as an action, as the task that sends knows it. A store finds out from it that it
/// is about to execute the command whose handler has sent to it.
///
/// Safe to share: the part that changes is atomic.
@usableFromInline
final class SentCommand: Sendable {
  /// Each task has its own list. Its child tasks and executions inherit it.
  @TaskLocal private static var current: [SentCommand] = []

  private let engine: ObjectIdentifier
  private let command: ObjectIdentifier
  /// Set when the `send` is over. A task that was started meanwhile inherits the command and may live longer. It may
  /// then execute the command again.
  private let isOver = Atomic<Bool>(false)

  private init(_ command: any Command.Type, of engine: EngineHandle) {
    self.engine = engine.id
    self.command = ObjectIdentifier(command)
  }

  private var isSending: Bool { !isOver.load(ordering: .acquiring) }

  /// Sends the action that an engine has made of a command.
  static func send(
    _ action: any Action,
    for command: any Command.Type,
    from engine: EngineHandle,
    with send: Send
  ) async throws {
    let sent = SentCommand(command, of: engine)
    defer { sent.isOver.store(true, ordering: .releasing) }
    try await $current.withValue(current.filter(\.isSending) + [sent]) {
      try await send(action)
    }
  }

  @usableFromInline
  static func checkForCircle(_ command: any Command.Type, to engine: EngineHandle) throws(CircularCommandError) {
    let (engine, key) = (engine.id, ObjectIdentifier(command))
    if current.contains(where: { $0.engine == engine && $0.command == key && $0.isSending }) {
      throw CircularCommandError(command: command)
    }
  }
}

/// A circle of commands and actions. An engine sent a command to a cluster, as it is or as another action, and a store
/// there was about to execute a command of the same type on the same engine, before the `send` was over. That would go
/// on for ever, so the command is not executed.
///
/// The check covers stores that execute (`.execute(…)`) and engines that send (`use(…, sendingTo:)`), with any number
/// of them in between. A circle that comes to an end, and is meant, needs a handler or a mutation of its own.
public struct CircularCommandError: Error, CustomStringConvertible {
  /// The type of the command.
  public let command: any Command.Type

  /// The problem and the remedy.
  public var description: String {
    let name = String(reflecting: command)
    return """
      The engine's handler of \(name) sends an action to a cluster, and a store there executes \(name) on the same engine \
      in turn. It was not executed again. Remove either `.execute(…)` from the store or `use(\(name).self, sendingTo:)` \
      from the engine, and let the other side do the work.
      """
  }
}
