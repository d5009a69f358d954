/// A report of an engine about its own use, as opposed to the errors of handlers and middleware.
///
///     if error as? EngineError == .noHandler(BookList.self) { … }
///     if let error = error as? EngineError, error.isWarning { … }
///
/// Each has a ``description`` with the problem, its effect, and the remedy.
public struct EngineError: Error, Sendable {
  private enum Kind: Hashable {
    case noHandler
    case duplicateHandler
    case stopped
    case timedOut
    case notCompleted
    case noListeners
    case publishedTooLate
    case lineGrown
  }

  private let kind: Kind

  /// The type of the command that the report is about; ``FactCommand`` of the fact's type, if it is about a fact.
  public let commandType: any Command.Type

  /// The command that was executed, of ``noHandler(_:)``; otherwise `nil`. Two reports of one kind about one type are
  /// equal, whatever their commands are.
  public private(set) var command: (any Command)?

  /// The event that was published, of ``noListeners(_:)`` and ``publishedTooLate(_:)``; otherwise `nil`. It is left out
  /// of a comparison, too.
  public private(set) var event: (any AnyCommandEvent)?

  private init(kind: Kind, command: any Command.Type) {
    self.kind = kind
    commandType = command
  }

  /// The same report with the command that it is about.
  @usableFromInline
  func about(_ command: any Command) -> EngineError {
    var error = self
    error.command = command
    return error
  }

  /// The same report with the event that it is about.
  func about(_ event: any AnyCommandEvent) -> EngineError {
    var error = self
    error.event = event
    return error
  }

  /// A command was executed that has no handler.
  public static func noHandler(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .noHandler, command: command)
  }

  /// A second handler was given for a type of command.
  public static func duplicateHandler(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .duplicateHandler, command: command)
  }

  /// A command whose result is awaited was stopped by a middleware, or dropped by its ``Command/overlap``.
  public static func stopped(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .stopped, command: command)
  }

  /// A command took longer than its ``Command/timeLimit``.
  public static func timedOut(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .timedOut, command: command)
  }

  /// A handler with a callback released its ``Completion`` without calling it.
  public static func notCompleted(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .notCompleted, command: command)
  }

  /// A warning: an event was published that has no reaction.
  public static func noListeners(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .noListeners, command: command)
  }

  /// A warning: a handler published after it had returned.
  public static func publishedTooLate(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .publishedTooLate, command: command)
  }

  /// A warning: 65,536 commands of a type wait for their turn, or so many of its events wait for the main actor. It is
  /// reported once for each line of commands and each reaction.
  public static func lineGrown(_ command: any Command.Type) -> EngineError {
    EngineError(kind: .lineGrown, command: command)
  }

  /// Is `true` if nothing failed: the program may have meant it.
  public var isWarning: Bool { [.noListeners, .publishedTooLate, .lineGrown].contains(kind) }
}

extension EngineError: Hashable {
  /// Returns `true` if both report the same about the same type.
  public static func == (lhs: EngineError, rhs: EngineError) -> Bool {
    lhs.kind == rhs.kind && lhs.commandType == rhs.commandType
  }

  /// Hashes the kind of the report and its type.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(ObjectIdentifier(commandType))
  }
}

extension EngineError: CustomStringConvertible {
  /// The problem, its effect, and the remedy.
  public var description: String {
    let name = String(reflecting: commandType)
    switch kind {
    case .noHandler:
      return """
        \(name) was executed, but no handler is registered for it. Nothing was done. Register one with \
        `engine.use(_:)`, on the engine that the command is executed on, or make the command an `ActionCommand`.
        """
    case .duplicateHandler:
      return """
        A second handler was given for \(name). It was refused and the first one stays. If it is meant to take the \
        first one's place, say `use(_:replacing: true)`.
        """
    case .stopped:
      return """
        \(name) was stopped by a middleware, or dropped because another one was running. There is no result to wait \
        for. If that is to be expected, look at the execution's `outcome` or `wait()`, which tell it from a failure.
        """
    case .timedOut:
      return """
        \(name) took longer than its time limit. It was cancelled, and what its handler still does is dropped. Give \
        the type a longer `timeLimit`, or look for what its handler waits for.
        """
    case .notCompleted:
      return """
        A handler of \(name) released its completion without calling it. The execution would never have ended, so it \
        failed. Call the completion on every way through the callback, or keep it until the callback comes.
        """
    case .noListeners:
      return """
        An event of \(name) was published and nothing reacts to it. It is lost. Register a reaction before executing, \
        or ignore this if only the result is awaited.
        """
    case .publishedTooLate:
      return """
        A handler of \(name) published after it had returned or thrown. The event was refused. Return when everything \
        has been published; an asynchronous handler may wait for what it started, and `use(_:completing:)` is there \
        for work that calls back.
        """
    case .lineGrown:
      return """
        So many executions of \(name) wait for their turn, or events of it for the main actor, that memory grows. They \
        come faster than they are handled, or what handles them hangs. Await the executions before the next ones, give \
        the type a `timeLimit` or another `overlap`, or let the reaction do less on the main actor.
        """
    }
  }
}
