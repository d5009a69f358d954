/// What an engine has to report about its own use, as opposed to what handlers and middleware throw.
///
/// Each has a ``description`` with the problem, what it means, and the remedy.
public enum EngineError: Error, Sendable {
  /// A command was executed that nobody handles.
  case noHandler(any Command.Type)

  /// A second handler was given for a type of command.
  case duplicateHandler(any Command.Type)

  /// A middleware passed on a command of another type than the one that was executed.
  case wrongCommand(any Command.Type, passedOn: any Command.Type)

  /// A middleware passed on an event of another command than the one it was given.
  case wrongEvent(any Command.Type, passedOn: any Command.Type)

  /// A middleware stopped a command whose result is awaited.
  case stopped(any Command.Type)

  /// A warning: an event was published that nobody reacts to.
  case noListeners(any Command.Type)

  /// A warning: a handler published after it had returned.
  case publishedTooLate(any Command.Type)
}

extension EngineError {
  /// The type of the command it is about; ``FactCommand`` of the fact's type, if it is about a fact.
  public var command: any Command.Type {
    switch self {
    case .noHandler(let command), .duplicateHandler(let command), .wrongCommand(let command, _),
      .wrongEvent(let command, _), .stopped(let command), .noListeners(let command), .publishedTooLate(let command):
      command
    }
  }

  /// Whether nothing failed: it may well be meant, and is only worth a look.
  public var isWarning: Bool {
    switch self {
    case .noListeners, .publishedTooLate: true
    case .noHandler, .duplicateHandler, .wrongCommand, .wrongEvent, .stopped: false
    }
  }

  /// Whether it says that a command of this type could not be handed to a handler at all. Reactions do not hear of that.
  func isUndeliverable(_ command: any Command.Type) -> Bool {
    switch self {
    case .noHandler, .wrongCommand: ObjectIdentifier(self.command) == ObjectIdentifier(command)
    default: false
    }
  }
}

extension EngineError: CustomStringConvertible {
  /// The problem, what it means, and the remedy.
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
  /// The types it is about.
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

  /// Whether both say the same about the same types.
  public static func == (lhs: EngineError, rhs: EngineError) -> Bool {
    lhs.kind == rhs.kind && lhs.types == rhs.types
  }

  /// Hashes what it says and about which types.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(types)
  }
}
