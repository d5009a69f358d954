/// Writes down each command and its result.
///
///     engine.pipeCommands(through: [LogCommandMiddleware { line in log.info("\(line)") }])
public struct LogCommandMiddleware: SynchronousCommandMiddleware {
  private let sink: @Sendable (String) -> Void

  /// Makes a middleware that writes commands down.
  ///
  /// - Parameter sink: takes the lines, on any thread.
  public init(sink: @escaping @Sendable (String) -> Void) {
    self.sink = sink
  }

  /// Writes down the command.
  public func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? {
    sink("execute \(command)")
    return command
  }

  /// Writes down the result of the command.
  public func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview {
    switch result {
    case .success(.passed): sink("handled \(command)")
    case .success(.stopped): sink("stopped \(command)")
    case .failure(let error): sink("failed \(command): \(error)")
    }
    return .accept
  }
}

/// Writes down each event, and each event that was stopped or failed.
///
///     engine.pipeEvents(through: [LogEventMiddleware { line in log.info("\(line)") }])
public struct LogEventMiddleware: EventMiddleware {
  private let sink: @Sendable (String) -> Void

  /// Makes a middleware that writes events down.
  ///
  /// - Parameter sink: takes the lines, on any thread.
  public init(sink: @escaping @Sendable (String) -> Void) {
    self.sink = sink
  }

  /// Writes down the event, and again if it was stopped or failed.
  public func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception {
    let line = description(of: event)
    sink("publish \(line)")
    do {
      let interception = try next(event)
      if interception == .stopped { sink("stopped \(line)") }
      return interception
    } catch {
      sink("failed \(line): \(error)")
      throw error
    }
  }

  private func description(of event: any AnyCommandEvent) -> String {
    let name = "\(event.kind.rawValue) of \(event.commandType)"
    if let data = event.data { return "\(name): \(data)" }
    if let error = event.error { return "\(name): \(error)" }
    return name
  }
}
