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

/// An event of a command of any type, as event middleware gets it.
///
///     if case .data(let books)? = event as? CommandEvent<BookList> { … }
///
/// Only ``CommandEvent`` conforms to it.
public protocol AnyCommandEvent: Sendable {
  /// The type of the command; ``FactCommand`` of the fact's type, if this is a fact.
  var commandType: any Command.Type { get }

  /// Is `true` if the command is running: this is neither a result nor an error.
  var isProgress: Bool { get }

  /// The result, if this is one, of any type.
  var data: (any Sendable)? { get }

  /// The error, if this is one.
  var error: (any Error)? { get }
}

extension CommandEvent: AnyCommandEvent {
  /// The type of the command.
  public var commandType: any Command.Type { CommandType.self }

  /// Is `true` for ``progress``.
  public var isProgress: Bool {
    if case .progress = self { true } else { false }
  }

  /// The result, if this is one.
  public var data: (any Sendable)? { output }

  /// The error, if this is one.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}
