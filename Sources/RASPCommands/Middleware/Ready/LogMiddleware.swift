/// Writes down each command or event, and its outcome.
///
///     engine.add(LogCommandMiddleware())
///     engine.add(LogMiddleware<any AnyCommandEvent> { line in log.info("\(line)") })
///
/// A command has a line before it is passed on and a line with its outcome. An event has a line before it is passed on,
/// and another one if it was stopped or failed.
public struct LogMiddleware<Input: Sendable>: Middleware {
  private let sink: @Sendable (String) -> Void

  /// Makes a middleware that writes down.
  ///
  /// - Parameter sink: takes the lines, on any thread. By default it prints.
  public init(sink: @escaping @Sendable (String) -> Void = { print($0) }) {
    self.sink = sink
  }

  /// Writes down the command or the event, and its outcome.
  public func intercept(_ input: Input, next: Next<Input>) -> MiddlewareResult<Input> {
    let event = input as? any AnyCommandEvent
    let line = event.map { description(of: $0) } ?? "\(input)"
    sink("\(event == nil ? "execute" : "publish") \(line)")
    return next(input).then { [sink] outcome in
      switch outcome {
      case .handled: if event == nil { sink("handled \(line)") }
      case .stopped: sink("stopped \(line)")
      case .failed(let error): sink("failed \(line): \(error)")
      }
      return MiddlewareResult(outcome)
    }
  }

  private func description(of event: any AnyCommandEvent) -> String {
    if let data = event.data { return "data of \(event.commandType): \(data)" }
    if let error = event.error { return "error of \(event.commandType): \(error)" }
    return "progress of \(event.commandType)"
  }
}

/// Writes down commands.
public typealias LogCommandMiddleware = LogMiddleware<any Command>
