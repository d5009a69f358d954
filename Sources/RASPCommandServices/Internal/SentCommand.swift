import RASPCommands
import RASPServices
import Synchronization

/// A command that an engine is sending as an action, as the task that does it knows: how a store finds out that it is
/// about to execute what it was sent by the very handler it would get it to.
///
/// Safe to share: what changes is atomic.
final class SentCommand: Sendable {
  /// Not a global: each task has its own, and its child tasks and executions inherit it.
  @TaskLocal private static var onTheWay: [SentCommand] = []

  private let engine: ObjectIdentifier
  private let command: ObjectIdentifier
  /// A task that was started meanwhile inherits the command and may live longer: then it is free to execute it again.
  private let isOver = Atomic<Bool>(false)

  private init(_ command: any Command.Type, of engine: Engine) {
    self.engine = engine.id
    self.command = ObjectIdentifier(command)
  }

  private var isUnderWay: Bool { !isOver.load(ordering: .acquiring) }

  /// Sends the action that an engine has made of a command.
  static func send(
    _ action: any RASPServices.Action,
    for command: any Command.Type,
    from engine: Engine,
    with send: Send
  ) async throws {
    let sent = SentCommand(command, of: engine)
    defer { sent.isOver.store(true, ordering: .releasing) }
    try await $onTheWay.withValue(onTheWay.filter(\.isUnderWay) + [sent]) {
      try await send(action)
    }
  }

  static func checkThatItIsNotComingBack(_ command: any Command.Type, to engine: Engine) throws(CircularCommandError) {
    let (engine, key) = (engine.id, ObjectIdentifier(command))
    if onTheWay.contains(where: { $0.engine == engine && $0.command == key && $0.isUnderWay }) {
      throw CircularCommandError(command: command)
    }
  }
}
