/// An event of a command, for its reactions.
public enum CommandEvent<CommandType: Command>: Sendable {
  /// The command is running.
  case progress

  /// A result. A handler may publish several; the one that it returns comes last.
  case data(CommandType.Output)

  /// An error. The one that a handler throws comes last.
  case error(any Error)
}

extension CommandEvent {
  /// The result, if this is one.
  public var output: CommandType.Output? {
    if case .data(let output) = self { output } else { nil }
  }
}
