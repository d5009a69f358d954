public import RASPCommands

/// A command that an engine sends to a cluster, as it is or as another action, led a store there to execute a command of the
/// same type on the same engine, before the `send` was over: it would go round for ever, so it is not executed.
///
/// It is found out for stores that execute (`.execute(…)`) and engines that send (`use(…, sendingTo:)`), however many of
/// them are in between. A round that is meant, because it comes to an end, takes a handler or a mutation of its own.
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
