public import RASPCommands
import RASPSupport
import RASPTesting
public import Testing

/// The result of executing a command: see ``HandlerUnderTest/when(_:sourceLocation:)``.
///
/// Values that are `Equatable` are compared with `==`, others, and what does not equal itself, by how they print.
public struct ExecutionResult<Executed: Command>: Sendable {
  /// The outcome of the execution.
  public let outcome: Outcome<Executed.Output>

  /// The events of this execution, as reactions got them. The last one tells of the outcome, unless the command was
  /// stopped or has no handler.
  public let events: [CommandEvent<Executed>]

  /// Everything that happened on the engine meanwhile, this command included.
  public let entries: [EngineRecorder.Entry]

  /// The number of events that came before the one that tells of the outcome.
  private let earlierCount: Int

  static func of(
    _ command: Executed,
    on engine: Engine,
    isolation actor: isolated (any Actor)? = #isolation,
    meanwhile: (Execution<Executed.Output>) async throws -> Void
  ) async rethrows -> ExecutionResult {
    let errorHandler = engine.errorHandler
    let recorder = EngineRecorder(engine)
    defer {
      recorder.stop()
      engine.errorHandler = errorHandler
    }
    let reactions = ReactionRecorder<Executed.Output>()
    let execution = engine.execute(command, reaction: reactions.reaction)
    do {
      try await meanwhile(execution)
    } catch {
      execution.cancel()
      throw error
    }
    let outcome = await execution.wait()
    let events = reactions.calls.map { call -> CommandEvent<Executed> in
      switch call {
      case .wait: .progress
      case .consume(let output): .data(output)
      case .rescue(let error): .error(error)
      }
    }
    // An error of event middleware is published in place of the event.
    let tellsOfOutcome =
      switch execution.publication {
      case .handled, .failed: true
      case .stopped, nil: false
      }
    return ExecutionResult(
      outcome: outcome,
      events: events,
      entries: recorder.entries,
      earlierCount: max(0, events.count - (tellsOfOutcome ? 1 : 0))
    )
  }
}

extension ExecutionResult {
  /// Looks at the result.
  ///
  /// - Errors: throws what `look` throws.
  ///
  /// - Parameter look: gets the result, and checks it.
  @discardableResult
  public func expect(_ look: (ExecutionResult) throws -> Void) rethrows -> ExecutionResult {
    try look(self)
    return self
  }

  /// Expects the command to have been handled, with this result, after exactly these events; anything else is reported
  /// as an issue of the running test.
  ///
  /// - Parameters:
  ///   - output: the result.
  ///   - events: what the handler should have published before it returned.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func then(
    _ output: Executed.Output,
    after events: CommandEvent<Executed>...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ExecutionResult {
    compare(.handled(output), events, sourceLocation)
  }

  /// Expects the command to have failed with this error, after exactly these events; anything else is reported as an
  /// issue of the running test. A command that was cancelled has failed with a `CancellationError`.
  ///
  /// - Parameters:
  ///   - error: what the handler or a middleware should have thrown.
  ///   - events: what the handler should have published before.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func failed(
    with error: any Error,
    after events: CommandEvent<Executed>...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ExecutionResult {
    compare(.failed(error), events, sourceLocation)
  }

  /// Expects a middleware to have stopped the command, after exactly these events; anything else is reported as an
  /// issue of the running test.
  ///
  /// - Parameters:
  ///   - events: what the handler should have published before.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func stopped(
    after events: CommandEvent<Executed>...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ExecutionResult {
    compare(.stopped, events, sourceLocation)
  }

  /// Expects exactly these facts to have been posted on the engine meanwhile, in this order.
  ///
  /// - Parameters:
  ///   - facts: the facts.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func posted(
    _ facts: any Fact...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ExecutionResult {
    let observed = entries.compactMap { entry -> (any Fact)? in
      if case .posted(let fact) = entry { fact } else { nil }
    }
    report(describeListDifference(of: "facts posted", expected: facts, observed: observed), sourceLocation)
    return self
  }

  /// Expects exactly these commands to have been on their way to a handler meanwhile, in this order, this command
  /// itself included.
  ///
  /// - Parameters:
  ///   - commands: the commands.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func executed(
    _ commands: any Command...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ExecutionResult {
    let observed = entries.compactMap { entry -> (any Command)? in
      if case .executing(let command) = entry { command } else { nil }
    }
    report(describeListDifference(of: "commands executed", expected: commands, observed: observed), sourceLocation)
    return self
  }

  private func compare(
    _ expected: Outcome<Executed.Output>,
    _ events: [CommandEvent<Executed>],
    _ sourceLocation: SourceLocation
  ) -> ExecutionResult {
    report(difference(from: expected), sourceLocation)
    let earlier = Array(self.events.prefix(earlierCount))
    let difference = describeListDifference(of: "events before the outcome", expected: events, observed: earlier) {
      $0.isSame(as: $1)
    } text: {
      $0.text
    }
    report(difference, sourceLocation)
    return self
  }

  private func difference(from expected: Outcome<Executed.Output>) -> String? {
    switch (expected, outcome) {
    case (.handled(let first), .handled(let second)):
      return isSame(first, second) ? nil : describeDifference(of: "output", expected: first, observed: second)
    case (.failed(let first), .failed(let second)) where isSame(first, second): return nil
    case (.stopped, .stopped): return nil
    default:
      return """
        the outcome is not as expected:
          expected \(text(of: expected)), observed \(text(of: outcome))
        """
    }
  }

  private func text(of outcome: Outcome<Executed.Output>) -> String {
    switch outcome {
    case .handled(let output): "handled \(brief(output))"
    case .stopped: "stopped"
    case .failed(let error): "failed \(brief(error))"
    }
  }

  private func report(_ difference: String?, _ sourceLocation: SourceLocation) {
    guard var text = difference else { return }
    // Often the reason for the difference.
    for case .reported(let error) in entries { text += "\n  reported: \(brief(error))" }
    Reporter.current.report(text, at: sourceLocation)
  }
}

extension ExecutionResult where Executed.Output == Void {
  /// Expects the command to have been handled, after exactly these events: see ``then(_:after:sourceLocation:)``.
  ///
  /// - Parameters:
  ///   - events: what the handler should have published before it returned.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func then(
    after events: CommandEvent<Executed>...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ExecutionResult {
    compare(.handled(()), events, sourceLocation)
  }
}
