public import Streams

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
  @usableFromInline let run: Run
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let pipeline: Pipeline?
  @usableFromInline let registry: Registry
  @usableFromInline let own: OwnReaction<CommandType>?

  @inlinable
  init(
    _ run: Run,
    _ lane: Lane<CommandType>,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>?
  ) {
    self.run = run
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
    guard run.isOpen else { return refuse(event) }
    return submit(event)
  }

  @inlinable
  @inline(never)
  func refuse(_ event: CommandEvent<CommandType>) -> Outcome<Void> {
    if run.isOver { registry.errors.reportPublishedTooLate(event) }
    return .stopped
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
  public var isActive: Bool { run.isOpen }

  /// The engine that carries out the command, as a handle that does not keep it alive.
  public var engine: EngineHandle { EngineHandle(registry) }

  // MARK: For the engine

  @inlinable var identity: CarriedCause { run.identity }

  /// Sends an event of the command through the middleware and into the lane.
  @inlinable
  func submit(_ event: CommandEvent<CommandType>, isLast: Bool = false) -> Outcome<Void> {
    // A reaction is no part of what it reacts to: another thread may deliver the event as well.
    run.ending == nil ? deliver(event, isLast) : OngoingWork.leave { deliver(event, isLast) }
  }

  @inlinable
  func deliver(_ event: CommandEvent<CommandType>, _ isLast: Bool) -> Outcome<Void> {
    if let pipeline, pipeline.hasEvents {
      return lane.intercept(event, through: pipeline, of: registry, run, own, isLast: isLast)
    }
    return lane.submit(event, of: run, own: own, isLast: isLast) ? .handled(()) : .stopped
  }

  /// Notes how the execution has ended, if it is recorded and its last event will not tell, because it has none, or
  /// because middleware may change it.
  @inlinable
  @inline(__always)
  func noteEnd(_ outcome: Outcome<CommandType.Output>, isUndelivered: Bool = false) {
    if identity.isUnknown { return }
    let isStopped = if case .stopped = outcome { true } else { false }
    guard isStopped || isUndelivered || pipeline?.hasEvents == true else { return }
    registry.noteEnd(of: identity, outcome.map { _ in })
  }

  /// Publishes the last event.
  ///
  /// - Returns: the outcome of publishing it; `nil` if there is none.
  @inlinable
  @inline(__always)
  func publish(last outcome: Outcome<CommandType.Output>, isUndelivered: Bool = false) -> Outcome<Void>? {
    switch outcome {
    case .handled(let output): submit(.data(output), isLast: true)
    case .stopped: nil
    case .failed(let error): publish(error, isUndelivered: isUndelivered)
    }
  }

  /// Publishes the error that has ended the command, and reports it.
  @usableFromInline
  func publish(_ error: any Error, isUndelivered: Bool) -> Outcome<Void>? {
    let publication = isUndelivered ? nil : submit(.error(error), isLast: true)
    report(error, isRescued: !isUndelivered && isRescued)
    return publication
  }

  /// Is `true` if a reaction gets the errors of the execution.
  @usableFromInline var isRescued: Bool { own?.reaction.rescue != nil || lane.rescuerCount > 0 }

  @usableFromInline
  func report(_ error: any Error, isRescued: Bool) {
    registry.errors.report(error, of: CommandType.self, causedBy: identity, failing: run, isRescued: isRescued)
  }
}
