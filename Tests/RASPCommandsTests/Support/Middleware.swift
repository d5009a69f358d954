import RASPCommands

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

/// Whether a middleware wraps the rest of the chain in a task, or is split and stays on the thread of the sender: what
/// holds for one holds for the other.
enum Form: CaseIterable, Sendable {
  case waiting, synchronous

  /// Passes the command on through `before`, and reviews what came of it with `after`.
  func middleware(
    before: @escaping @Sendable (any Command, Engine) throws -> (any Command)? = { command, _ in command },
    after: @escaping @Sendable (Result<Interception, any Error>, Int) throws -> CommandReview = { _, _ in .accept }
  ) -> any CommandMiddleware {
    let split = BeforeAndAfter(before: before, after: { _, result, attempt in try after(result, attempt) })
    switch self {
    case .synchronous: return split
    case .waiting: return Around { try await split.intercept($0, in: $1, next: $2) }
    }
  }
}
