/// Ready middleware for commands or for events: each static function makes one.
///
///     engine.add(LogCommandMiddleware(), ClosureMiddleware<any Command>.abort { $0 is Purchase && store.isClosed })
///     engine.add(ClosureMiddleware<any AnyCommandEvent>.log { line in log.info("\(line)") })
public struct ClosureMiddleware<Input: Sendable>: Middleware {
  let body: @Sendable (Input, Next<Input>) -> MiddlewareResult<Input>

  /// Calls the closure that this was made of.
  public func intercept(_ input: Input, next: Next<Input>) -> MiddlewareResult<Input> { body(input, next) }

  /// Writes down each command or event, and its outcome.
  ///
  /// A command has a line before it is passed on and a line with its outcome. An event has a line before it is passed
  /// on, and another one if it was stopped or failed.
  ///
  /// - Parameter sink: takes the lines, on any thread. By default it prints.
  public static func log(to sink: @escaping @Sendable (String) -> Void = { print($0) }) -> Self {
    Self { input, next in
      let event = input as? any AnyCommandEvent
      let line = event.map(description) ?? "\(input)"
      sink("\(event == nil ? "execute" : "publish") \(line)")
      return next(input).then { outcome in
        switch outcome {
        case .handled: if event == nil { sink("handled \(line)") }
        case .stopped: sink("stopped \(line)")
        case .failed(let error): sink("failed \(line): \(error)")
        }
        return MiddlewareResult(outcome)
      }
    }
  }

  private static func description(of event: any AnyCommandEvent) -> String {
    if let data = event.data { return "data of \(event.commandType): \(data)" }
    if let error = event.error { return "error of \(event.commandType): \(error)" }
    return "progress of \(event.commandType)"
  }

  /// Calls a closure with every failure, after all inner middleware, and passes the failure on.
  ///
  /// Around commands, the closure gets the failure of each attempt if outer middleware retries; the engine's error
  /// handler gets only that of the last one. Around events, it gets every error event, and every error of inner
  /// middleware.
  ///
  /// - Parameter handle: called with each failure, on any thread. By default it prints.
  public static func onError(
    _ handle: @escaping @Sendable (any Error, Input) -> Void = { print("failed \($1): \($0)") }
  ) -> Self {
    Self { input, next in
      if let error = (input as? any AnyCommandEvent)?.error { handle(error, input) }
      return next(input).then { outcome in
        if case .failed(let error) = outcome { handle(error, input) }
        return MiddlewareResult(outcome)
      }
    }
  }

  /// Silences failures: the command counts as stopped, and no reaction gets the error. Neither an error event is
  /// published nor the error handler called.
  ///
  /// - Parameter isUnwanted: returns `true` to silence a failure. By default every failure is silenced.
  public static func silence(where isUnwanted: @escaping @Sendable (any Error, Input) -> Bool = { _, _ in true })
    -> Self
  {
    Self { input, next in
      if let error = (input as? any AnyCommandEvent)?.error, isUnwanted(error, input) { return .stopped }
      return next(input).then { outcome in
        if case .failed(let error) = outcome, isUnwanted(error, input) { return .stopped }
        return MiddlewareResult(outcome)
      }
    }
  }

  /// Stops commands or events. Neither a handler runs nor a reaction is called.
  ///
  /// - Parameter isUnwanted: returns `true` to stop. By default everything is stopped.
  public static func abort(where isUnwanted: @escaping @Sendable (Input) -> Bool = { _ in true }) -> Self {
    Self { input, next in isUnwanted(input) ? .stopped : next(input) }
  }

  /// Fails commands or events. The handlers of such commands do not run, and an error is published in place of such
  /// events. For a door that is closed, or for a test of a failure.
  ///
  /// - Parameter failure: returns the error; `nil` passes the command or the event on.
  public static func fail(_ failure: @escaping @Sendable (Input) -> (any Error)?) -> Self {
    Self { input, next in failure(input).map { .failed($0) } ?? next(input) }
  }
}

/// Writes down commands: ``ClosureMiddleware/log(to:)`` by its name in Aftermath.
public struct LogCommandMiddleware: Middleware {
  private let log: ClosureMiddleware<any Command>

  /// Makes a middleware that writes down.
  ///
  /// - Parameter sink: takes the lines, on any thread. By default it prints.
  public init(sink: @escaping @Sendable (String) -> Void = { print($0) }) { log = .log(to: sink) }

  /// Writes down the command and its outcome.
  public func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    log.intercept(command, next: next)
  }
}

/// Calls a closure with every failure of a command: ``ClosureMiddleware/onError(_:)`` by its name in Aftermath.
public struct ErrorCommandMiddleware: Middleware {
  private let onError: ClosureMiddleware<any Command>

  /// Makes a middleware that passes failures on.
  ///
  /// - Parameter handle: called with each failure, on any thread. By default it prints.
  public init(_ handle: @escaping @Sendable (any Error, any Command) -> Void = { print("failed \($1): \($0)") }) {
    onError = .onError(handle)
  }

  /// Calls the closure with a failure.
  public func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    onError.intercept(command, next: next)
  }
}
