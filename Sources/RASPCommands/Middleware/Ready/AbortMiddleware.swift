/// Stops commands or events. Neither a handler runs nor a reaction is called.
///
///     engine.add(AbortCommandMiddleware(commands: [Purchase.self]))
///     engine.add(AbortCommandMiddleware { $0 is Purchase && store.isClosed })
///     engine.add(AbortMiddleware<any AnyCommandEvent> { $0.isProgress })
public struct AbortMiddleware<Input: Sendable>: Middleware {
  private let isUnwanted: @Sendable (Input) -> Bool

  /// Makes a middleware that stops what a closure selects.
  ///
  /// - Parameter isUnwanted: returns `true` to stop. By default everything is stopped.
  public init(where isUnwanted: @escaping @Sendable (Input) -> Bool = { _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops the command or the event, or passes it on.
  public func intercept(_ input: Input, next: Next<Input>) -> MiddlewareResult<Input> {
    isUnwanted(input) ? .stopped : next(input)
  }
}

extension AbortMiddleware where Input == any Command {
  /// Makes a middleware that stops commands of some types.
  public init(commands: [any Command.Type]) {
    self.init { command in commands.contains { type(of: command) == $0 } }
  }
}

extension AbortMiddleware where Input == any AnyCommandEvent {
  /// Makes a middleware that stops events of some types, such as `CommandEvent<BookList>.self`.
  public init(events: [any AnyCommandEvent.Type]) {
    self.init { event in events.contains { type(of: event) == $0 } }
  }
}

/// Stops commands.
public typealias AbortCommandMiddleware = AbortMiddleware<any Command>

/// Stops every command, if it is made without arguments.
public typealias SilenceCommandMiddleware = AbortMiddleware<any Command>
