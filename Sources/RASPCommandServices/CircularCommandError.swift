public import RASPCommands

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
