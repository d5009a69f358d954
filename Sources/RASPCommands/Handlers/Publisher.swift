import Streams

/// Publishes the events of one command for its handler.
///
///     publish(.progress)
///     publish(data: cache.books)
///     publish(error: CacheIsStale())
///
/// A handler may publish as often as it wants until it returns or throws. An error that is published is an event for
/// the reactions. It ends nothing, and the engine's error handler does not get it.
///
/// Every event goes through the engine's event ``Middleware``, on the thread that publishes it. Then the lane of its
/// type of command delivers it; see ``Engine``.
///
/// An event that is published after the handler has returned or thrown is refused, and reported as
/// ``EngineError/publishedTooLate(_:)``. An event that is published after the execution was cancelled is refused
/// without a report.
///
/// - Ordering: the result or the error of the handler is published after everything that it published before it
///   returned or threw.
/// - Concurrency: may be used on any thread.
public struct Publisher<CommandType: Command>: Sendable {
  @usableFromInline let origin: EventOrigin
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let pipeline: Pipeline?
  @usableFromInline let registry: Registry
  @usableFromInline let own: OwnReaction<CommandType>?

  @inlinable
  init(
    _ origin: EventOrigin,
    _ lane: Lane<CommandType>,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>?
  ) {
    self.origin = origin
    self.lane = lane
    self.pipeline = pipeline
    self.registry = registry
    self.own = own
  }

  /// Publishes an event.
  ///
  /// - Returns: the outcome of publishing the event. It may be ignored.
  @inlinable
  @discardableResult
  public func callAsFunction(_ event: CommandEvent<CommandType>) -> Outcome<Void> {
    guard origin.isOpen else {
      if origin.isOver { registry.errors.reportPublishedTooLate(CommandType.self) }
      return .stopped
    }
    return submit(event)
  }

  /// Publishes a result: one of several, an early one, or a part.
  ///
  /// - Returns: the outcome of publishing the event. It may be ignored.
  @inlinable
  @discardableResult
  public func callAsFunction(data output: CommandType.Output) -> Outcome<Void> {
    self(.data(output))
  }

  /// Publishes an error, which does not end the command.
  ///
  /// - Returns: the outcome of publishing the event. It may be ignored.
  @inlinable
  @discardableResult
  public func callAsFunction(error: any Error) -> Outcome<Void> {
    self(.error(error))
  }

  /// Is `true` while events are taken: until the handler returns or throws, or the execution is cancelled.
  public var isActive: Bool { origin.isOpen }

  /// The engine that carries out the command, as a handle that does not keep it alive.
  public var engine: EngineHandle { EngineHandle(registry) }

  // MARK: For the engine

  /// The execution. Every publisher has one, but that of a command that is carried out at once: see ``endAtOnce(_:)``.
  var run: Run { unsafeDowncast(origin, to: Run.self) }

  /// Sends an event of the run through the middleware and into the lane.
  @inlinable
  func submit(_ event: CommandEvent<CommandType>, isLast: Bool = false) -> Outcome<Void> {
    if let pipeline, pipeline.hasEvents {
      return lane.intercept(event, through: pipeline, of: registry, origin, own, isLast: isLast)
    }
    return lane.submit(event, of: origin, own: own, isLast: isLast) ? .handled(()) : .stopped
  }

  /// Ends a command that cannot be awaited or cancelled, because `execute` has not returned yet.
  ///
  /// - Returns: the outcome of publishing the last event.
  @inlinable
  func endAtOnce(_ outcome: Outcome<CommandType.Output>) -> Outcome<Void>? {
    origin.endAlone()
    switch outcome {
    case .handled(let output): return submit(.data(output), isLast: true)
    case .stopped: return nil
    case .failed(let error): return publish(error, isUndelivered: false)
    }
  }

  /// Ends the run with the outcome of the handler or of the middleware before it.
  func finish(_ outcome: Outcome<CommandType.Output>, isUndelivered: Bool = false) {
    guard run.finish() else { return }
    switch outcome {
    case .handled(let output):
      run.settle(outcome, submit(.data(output), isLast: true))
    case .stopped:
      run.settle(outcome, nil)
    case .failed(let error):
      run.settle(outcome, publish(error, isUndelivered: isUndelivered))
    }
  }

  /// Publishes the error that has ended the command, and reports it.
  @usableFromInline
  func publish(_ error: any Error, isUndelivered: Bool) -> Outcome<Void>? {
    let publication = isUndelivered ? nil : submit(.error(error), isLast: true)
    registry.errors.report(error)
    return publication
  }

  /// Makes the second step of ending the run from outside.
  func completeWithdrawal(_ error: any Error) {
    let publication = submit(.error(error), isLast: true)
    if !(error is CancellationError) { registry.errors.report(error) }
    run.settle(Outcome<CommandType.Output>.failed(error), publication)
  }
}
