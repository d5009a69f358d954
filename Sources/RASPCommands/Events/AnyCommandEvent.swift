/// An event of a command of any type: what ``EventMiddleware`` sees.
///
///     if case .data(let books)? = event as? CommandEvent<BookList> { … }
///
/// Not for conforming to: ``CommandEvent`` does.
public protocol AnyCommandEvent: Sendable {
  /// The type of the command; ``FactCommand`` of the fact's type, if this is a fact.
  var commandType: any Command.Type { get }

  /// Which of the three kinds of event this is.
  var kind: CommandEventKind { get }

  /// The result, if it is one, whatever its type.
  var data: (any Sendable)? { get }

  /// The error, if it is one.
  var error: (any Error)? { get }
}

/// The three kinds of event.
public enum CommandEventKind: String, Sendable, Hashable {
  /// The command is under way.
  case progress
  /// There is a result.
  case data
  /// Something failed.
  case error
}

extension CommandEvent: AnyCommandEvent {
  /// The type of the command.
  public var commandType: any Command.Type { Subject.self }

  /// Which of the three kinds of event this is.
  public var kind: CommandEventKind {
    switch self {
    case .progress: .progress
    case .data: .data
    case .error: .error
    }
  }

  /// The result, if it is one.
  public var data: (any Sendable)? { output }

  /// The error, if it is one.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}
