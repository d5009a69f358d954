import Streams

/// A command that is being carried out. `execute(_:)` returns it, to be ignored, awaited or cancelled.
///
///     engine.execute(BookList())                                // fire and forget
///     let books = try await engine.execute(BookList()).value    // wait for the result
///     let search = engine.execute(BookSearch("Swift"))
///     search.cancel()
///
/// It is a handle: copies of it are handles of one execution. Releasing it does nothing: the command goes on. Once the
/// command is over, it keeps neither the engine nor any reaction alive.
///
/// - Concurrency: everything may be called from any thread, and from inside handlers and reactions.
public struct Execution<Output: Sendable>: Sendable {
  @usableFromInline
  enum State: Sendable {
    /// The command was over before `execute` returned.
    case over(Outcome<Output>, publication: Outcome<Void>?)
    case running(Run)
  }

  @usableFromInline let command: any Command.Type
  @usableFromInline let state: State

  @inlinable
  init(_ run: Run, of command: any Command.Type) {
    self.command = command
    state = .running(run)
  }

  @inlinable
  init(over outcome: Outcome<Output>, _ publication: Outcome<Void>?, of command: any Command.Type) {
    self.command = command
    state = .over(outcome, publication: publication)
  }

  /// The execution, with a result of any type.
  @inlinable var erased: Execution<any Sendable> {
    switch state {
    case .over(let outcome, let publication): Execution<any Sendable>(over: outcome.erased, publication, of: command)
    case .running(let run): Execution<any Sendable>(run, of: command)
    }
  }

  /// The outcome; `nil` while the command is running.
  ///
  /// - Ordering: when there is an outcome, the last event has been published. The reactions have got it, unless events
  ///   of this type of command were being delivered, on another thread or around this call. Then they get it
  ///   afterwards; ``wait()`` and ``value`` wait for that.
  /// - Complexity: O(1).
  @inlinable
  public var outcome: Outcome<Output>? {
    switch state {
    case .over(let outcome, _): outcome
    case .running(let run): run.outcome.flatMap { $0 as? Outcome<Output> ?? unerased($0) }
    }
  }

  /// The outcome of the execution of an `any Command`.
  @usableFromInline
  func unerased(_ outcome: any Sendable) -> Outcome<Output>? {
    let erased = (outcome as? any AnyOutcome)?.erased as? Outcome<Output>
    assert(erased != nil, "An execution has an outcome of another type.")
    return erased
  }

  /// The result of publishing the last event, which tells the reactions the outcome. It is `nil` while the command is
  /// running, and if there was no last event: for a command that was stopped, or has no handler.
  ///
  /// - Complexity: O(1).
  package var publication: Outcome<Void>? {
    switch state {
    case .over(_, let publication): publication
    case .running(let run): run.publication
    }
  }

  /// The result. Reading it waits for the end of the execution.
  ///
  /// Awaiting the result makes the execution part of the task that waits: if that task is cancelled, so is the
  /// execution, also for all others that wait. Any number of tasks may wait.
  ///
  /// - Ordering: the reactions have got all events of the execution, the last one included, when this returns. One that
  ///   runs on the main actor may get it later.
  /// - Errors: throws the error that the handler or a middleware threw; `CancellationError` if the execution was
  ///   cancelled; ``EngineError/noHandler(_:)`` if the command has no handler; ``EngineError/stopped(_:)`` if it was
  ///   stopped or dropped; ``EngineError/timedOut(_:)`` if it took too long.
  @inlinable
  public var value: Output {
    get async throws { try await wait().value(of: command) }
  }

  /// Waits for the end of the execution.
  ///
  /// If the task that waits is cancelled, so is the execution.
  ///
  /// - Ordering: as ``value``.
  /// - Concurrency: a reaction must not block its thread until this returns: the events that come after the one that it
  ///   gets are delivered when it has returned.
  /// - Returns: the outcome.
  @inlinable
  public func wait() async -> Outcome<Output> {
    if case .running(let run) = state { await run.waitUntilOver() }
    guard let outcome else {
      assertionFailure("An execution is settled without an outcome.")
      return .stopped
    }
    return outcome
  }

  /// Cancels the execution, unless it has ended.
  ///
  /// The task of the handler is cancelled, and with it middleware that waits. Everything that they still publish,
  /// return or throw is dropped, and so are events that have not been delivered. The outcome is a `CancellationError`.
  /// A command that is being carried out on the thread of its sender cannot be cancelled, unless its
  /// ``Command/overlap`` is another one than `concurrent`; then its result is dropped.
  ///
  /// - Ordering: the reactions get the `CancellationError` as the last event, so that none of them waits for ever.
  /// - Concurrency: may be called from any thread.
  /// - Returns: `true` if the execution had not ended.
  @discardableResult
  public func cancel() -> Bool {
    if case .running(let run) = state { run.end(with: CancellationError()) } else { false }
  }
}

extension Outcome {
  /// The value, or the error that stands for the outcome of a command that has none.
  @inlinable
  func value(of command: any Command.Type) throws -> Value {
    switch self {
    case .handled(let value): return value
    case .stopped: throw EngineError.stopped(command)
    case .failed(let error): throw error
    }
  }
}
