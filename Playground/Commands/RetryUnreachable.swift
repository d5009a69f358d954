import RASPCommands
import Streams

/// Gives a command whose store did not answer a second chance, a little later.
struct RetryUnreachable: CommandMiddleware {
  static let pause: Duration = .milliseconds(100)

  let scheduler: any Scheduler
  let onRetry: @Sendable (any Command) -> Void

  func intercept(
    _ command: any Command,
    in engine: Engine,
    next: (any Command) async throws -> Interception
  ) async throws -> Interception {
    do {
      return try await next(command)
    } catch is Unreachable {
      onRetry(command)
      try await scheduler.sleep(until: scheduler.now + Self.pause)
      return try await next(command)
    }
  }
}
