import RASPCommands
import Streams

/// Gives a command whose store did not answer a second chance, a little later.
struct RetryUnreachable: Middleware {
  static let pause: Duration = .milliseconds(100)

  let scheduler: any Scheduler
  let onRetry: @Sendable (any Command) -> Void

  func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    next(command).then { [scheduler, onRetry] outcome in
      guard outcome.failure is Unreachable else { return MiddlewareResult(outcome) }
      onRetry(command)
      return .waiting {
        try await scheduler.sleep(until: scheduler.now + Self.pause)
        return await next(command).outcome
      }
    }
  }
}
