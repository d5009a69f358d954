public import Commands

/// A type of command that an engine sends to a cluster, and that the cluster executes on that engine again: it would go
/// round for ever, so it is not executed a second time.
public struct CircularCommandError: Error, CustomStringConvertible {
  /// The type of the command.
  public let command: any Command.Type

  /// The problem and the remedy.
  public var description: String {
    let name = String(reflecting: command)
    return """
      The engine's handler of \(name) sends it to a cluster, and a store there executes it on the same engine. It was not \
      executed again. Remove either `.execute(\(name).self)` from the store or `use(\(name).self, sendingTo:)` from the \
      engine, and let the other side do the work.
      """
  }
}
