/// A report of an engine about its own use, as opposed to the errors of handlers and middleware.
///
/// Each has a ``description`` with the problem, its effect, and the remedy.
public enum EngineError: Error, Sendable {
  /// A command was executed that has no handler.
  case noHandler(any Command.Type)

  /// A second handler was given for a type of command.
  case duplicateHandler(any Command.Type)

  /// A middleware passed on a command of another type than the one that was executed.
  case wrongCommand(any Command.Type, passedOn: any Command.Type)

  /// A middleware passed on an event of another command than the one it was given.
  case wrongEvent(any Command.Type, passedOn: any Command.Type)

  /// A middleware stopped a command whose result is awaited.
  case stopped(any Command.Type)

  /// A warning: an event was published that has no reaction.
  case noListeners(any Command.Type)

  /// A warning: a handler published after it had returned.
  case publishedTooLate(any Command.Type)
}

extension EngineError {
  /// The type of the command that the report is about; ``FactCommand`` of the fact's type, if it is about a fact.
  public var command: any Command.Type {
    switch self {
    case .noHandler(let command), .duplicateHandler(let command), .wrongCommand(let command, _),
      .wrongEvent(let command, _), .stopped(let command), .noListeners(let command), .publishedTooLate(let command):
      command
    }
  }

  /// Is `true` if nothing failed: the program may have meant it.
  public var isWarning: Bool {
    switch self {
    case .noListeners, .publishedTooLate: true
    case .noHandler, .duplicateHandler, .wrongCommand, .wrongEvent, .stopped: false
    }
  }

  /// Is `true` if a command of this type could not be handed to a handler at all. Reactions do not get such an error.
  func isUndeliverable(_ command: any Command.Type) -> Bool {
    switch self {
    case .noHandler, .wrongCommand: ObjectIdentifier(self.command) == ObjectIdentifier(command)
    default: false
    }
  }
}

extension EngineError: CustomStringConvertible {
  /// The problem, its effect, and the remedy.
  public var description: String {
    let name = String(reflecting: command)
    switch self {
    case .noHandler:
      return """
        \(name) was executed, but no handler is registered for it. Nothing was done. Register one with \
        `engine.use(_:)`, on the engine that the command is executed on, or make the command an `Action`.
        """
    case .duplicateHandler:
      return """
        A second handler was given for \(name). It was refused and the first one stays. If it is meant to take the \
        first one's place, say `use(_:replacing: true)`.
        """
    case .wrongCommand(_, let other):
      return """
        A middleware that was given \(name) passed on \(String(reflecting: other)). The handler was not called. Pass \
        on a command of the same type; to execute something else, use the engine that the middleware is given.
        """
    case .wrongEvent(_, let other):
      return """
        A middleware that was given an event of \(name) passed on one of \(String(reflecting: other)). The event was \
        not delivered. Pass on an event of the same command; to publish something else, use the engine that the \
        middleware is given.
        """
    case .stopped:
      return """
        A middleware stopped \(name). There is no result to wait for. If that is to be expected, look at the \
        execution's `outcome` or `wait()`, which tell it from a failure.
        """
    case .noListeners:
      return """
        An event of \(name) was published and nobody reacts to it. It is lost. Register a reaction before executing, \
        or ignore this if only the result is awaited.
        """
    case .publishedTooLate:
      return """
        A handler of \(name) published after it had returned or thrown. The event was refused. Return when everything \
        has been published; an asynchronous handler may wait for what it started.
        """
    }
  }
}

extension EngineError: Hashable {
  /// The types that the report is about.
  private var types: [ObjectIdentifier] {
    switch self {
    case .wrongCommand(let command, let other), .wrongEvent(let command, let other):
      [ObjectIdentifier(command), ObjectIdentifier(other)]
    default: [ObjectIdentifier(command)]
    }
  }

  private var kind: Int {
    switch self {
    case .noHandler: 0
    case .duplicateHandler: 1
    case .wrongCommand: 2
    case .wrongEvent: 3
    case .stopped: 4
    case .noListeners: 5
    case .publishedTooLate: 6
    }
  }

  /// Returns `true` if both report the same about the same types.
  public static func == (lhs: EngineError, rhs: EngineError) -> Bool {
    lhs.kind == rhs.kind && lhs.types == rhs.types
  }

  /// Hashes the kind of the report and its types.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(types)
  }
}
