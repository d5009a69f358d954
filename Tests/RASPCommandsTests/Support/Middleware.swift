import RASPCommands

/// A command middleware made of a closure.
struct Around: Middleware {
  let body: @Sendable (any Command, Next<any Command>) throws -> MiddlewareResult<any Command>

  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    try body(command, next)
  }
}

/// An event middleware made of a closure.
struct AroundEvents: Middleware {
  let body: @Sendable (any AnyCommandEvent, Next<any AnyCommandEvent>) throws -> MiddlewareResult<any AnyCommandEvent>

  func intercept(
    _ event: any AnyCommandEvent,
    next: Next<any AnyCommandEvent>
  ) throws -> MiddlewareResult<any AnyCommandEvent> {
    try body(event, next)
  }
}

/// What a middleware of a test does with an outcome.
enum Review: Sendable {
  case accept
  case retry(any Command)
  case stop
}

/// Whether a middleware waits, and so moves the command into a task, or stays on the thread of the sender: what holds
/// for one holds for the other.
enum Form: CaseIterable, Sendable {
  case waiting, synchronous

  /// Passes the command on through `before`, and reviews the outcome with `after`, which gets the number of attempts.
  func middleware(
    before: @escaping @Sendable (any Command, EngineHandle) throws -> (any Command)? = { command, _ in command },
    after: @escaping @Sendable (Outcome<Void>, Int) throws -> Review = { _, _ in .accept }
  ) -> any Middleware<any Command> {
    Around { command, next in
      @Sendable func attempt(_ command: any Command, _ number: Int) throws -> MiddlewareResult<any Command> {
        guard let command = try before(command, next.engine) else { return .stopped }
        return next(command).then { outcome in
          switch try after(outcome, number) {
          case .accept: MiddlewareResult(outcome)
          case .retry(let again): try attempt(again, number + 1)
          case .stop: .stopped
          }
        }
      }
      switch self {
      case .synchronous: return try attempt(command, 1)
      case .waiting:
        return .waiting {
          await Task.yield()
          return try await attempt(command, 1).outcome
        }
      }
    }
  }
}
