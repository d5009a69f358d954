import Commands

/// A command middleware made of a closure.
struct Around: CommandMiddleware {
  typealias Next = (any Command) async throws -> Interception

  let body: @Sendable (any Command, Engine, Next) async throws -> Interception

  func intercept(_ command: any Command, in engine: Engine, next: Next) async throws -> Interception {
    try await body(command, engine, next)
  }
}

/// A command middleware that never waits, made of closures.
struct BeforeAndAfter: SynchronousCommandMiddleware {
  var before: @Sendable (any Command, Engine) throws -> (any Command)? = { command, _ in command }
  var after: @Sendable (any Command, Result<Interception, any Error>, Int) throws -> CommandReview = { _, _, _ in
    .accept
  }

  func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? { try before(command, engine) }

  func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview {
    try after(command, result, attempt)
  }
}

/// An event middleware made of a closure.
struct AroundEvents: EventMiddleware {
  typealias Next = (any AnyCommandEvent) throws -> Interception

  let body: @Sendable (any AnyCommandEvent, Engine, Next) throws -> Interception

  func intercept(_ event: any AnyCommandEvent, in engine: Engine, next: Next) throws -> Interception {
    try body(event, engine, next)
  }
}
