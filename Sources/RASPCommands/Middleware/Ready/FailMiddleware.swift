/// Fails commands or events. The handlers of such commands do not run, and an error is published in place of such
/// events. For a door that is closed, or for a test of a failure.
///
///     engine.add(FailCommandMiddleware(failures: [(Upload.self, Offline())]))
///     engine.add(FailCommandMiddleware { $0 is Upload && isOffline ? Offline() : nil })
///     engine.add(FailMiddleware<any AnyCommandEvent> { validate($0) })
public struct FailMiddleware<Input: Sendable>: Middleware {
  private let failure: @Sendable (Input) -> (any Error)?

  /// Makes a middleware that fails what a closure selects.
  ///
  /// - Parameter failure: returns the error; `nil` passes the command or the event on.
  public init(_ failure: @escaping @Sendable (Input) -> (any Error)?) {
    self.failure = failure
  }

  /// Fails the command or the event, or passes it on.
  public func intercept(_ input: Input, next: Next<Input>) -> MiddlewareResult<Input> {
    if let failure = failure(input) { .failed(failure) } else { next(input) }
  }
}

extension FailMiddleware where Input == any Command {
  /// Makes a middleware that fails commands of some types.
  public init(failures: [(command: any Command.Type, error: any Error)]) {
    self.init { command in failures.first { type(of: command) == $0.command }?.error }
  }
}

extension FailMiddleware where Input == any AnyCommandEvent {
  /// Makes a middleware that fails events of some types, such as `CommandEvent<BookList>.self`.
  public init(failures: [(event: any AnyCommandEvent.Type, error: any Error)]) {
    self.init { event in failures.first { type(of: event) == $0.event }?.error }
  }
}

/// Fails commands.
public typealias FailCommandMiddleware = FailMiddleware<any Command>
