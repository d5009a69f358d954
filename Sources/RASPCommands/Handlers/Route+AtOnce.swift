public import Streams

// A command is carried out in one of two ways: in its caller at once, which is the only one that waits, or as a run
// that can be awaited and cancelled; see `Route+Run`. At once, if the command has no policy and
//
//                  the handler never waits     it waits
//   execute(_:)    and no middleware           –
//   value(of:)     and no middleware           and no middleware of commands: in the task of the caller
extension Route {
  /// Carries out a command: at once if that needs no task, and as a run otherwise.
  @inlinable
  @inline(__always)
  func execute(
    _ command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>? = nil
  ) -> Execution<CommandType.Output> {
    if let execution = atOnce(command, as: identity, pipeline, registry, own) { return execution }
    return run(command, as: identity, pipeline, registry, own)
  }

  /// Carries out a command on this thread; returns `nil`, and does nothing, if something may wait or there is
  /// middleware.
  @inlinable
  @inline(__always)
  func atOnce(
    _ command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>? = nil,
    isAwaited: Bool = false
  ) -> Execution<CommandType.Output>? {
    guard overlaps == nil, pipeline == nil, let handler, handler.isSynchronous else { return nil }
    return atOnce(command, handler, as: identity, nil, registry, own, isAwaited: isAwaited)
  }

  /// Carries out a command whose handler never waits on this thread. There is no execution that another task could
  /// await.
  @inlinable
  @inline(__always)
  func atOnce(
    _ command: CommandType,
    _ handler: RegisteredHandler<CommandType>,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>?,
    isAwaited: Bool = false
  ) -> Execution<CommandType.Output> {
    let publisher = Publisher(Run(identity, nil, isAwaited: isAwaited), lane, pipeline, registry, own)
    let outcome = publisher.call(handler, command)
    let publication = publisher.end(outcome)
    if lane.queue.isIdle { return Execution(over: outcome, publication, of: CommandType.self) }
    return publisher.execution(over: outcome, publication)
  }

  /// Carries out a command and returns its outcome: in the task of the caller if nothing stands between it and a
  /// handler that waits, and as a run otherwise.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func outcome(
    of command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry
  ) async -> Outcome<CommandType.Output> {
    guard overlaps == nil, pipeline?.hasCommands != true, let handler, !handler.isSynchronous else {
      return await run(command, as: identity, pipeline, registry, nil).wait()
    }
    let run = Run(identity, nil, isAwaited: true)
    let publisher = Publisher(run, lane, pipeline, registry, nil)
    let outcome = await withTaskCancellationHandler {
      if !run.isOpen { return Outcome<CommandType.Output>.failed(CancellationError()) }
      return identity.isUnknown
        ? await publisher.callWaiting(handler, command) : await publisher.call(handler, command, as: identity.cause)
    } onCancel: {
      _ = run.endInCaller(as: RunPhase.withdrawn)
    }
    let (end, publication) = publisher.endUnlessCancelled(outcome)
    return lane.queue.isIdle ? end : await publisher.execution(over: end, publication).wait()
  }
}

extension Publisher {
  /// Calls a handler that never waits.
  @inlinable
  @inline(__always)
  func call(_ handler: RegisteredHandler<CommandType>, _ command: CommandType) -> Outcome<CommandType.Output> {
    // What is unknown is unknown around the handler, too.
    if identity.isUnknown { return outcome(of: handler, command) }
    return registry.hook.deliver(as: identity) { outcome(of: handler, command) }
  }

  @inlinable
  @inline(__always)
  func outcome(of handler: RegisteredHandler<CommandType>, _ command: CommandType) -> Outcome<CommandType.Output> {
    do { return .handled(try handler.synchronous(command, self)) } catch { return .failed(error) }
  }

  /// Calls a handler where asynchronous functions run, which is not the actor of the caller.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func callWaiting(
    _ handler: RegisteredHandler<CommandType>,
    _ command: CommandType
  ) async -> Outcome<CommandType.Output> {
    do {
      switch handler.call {
      case .synchronous(let handle): return .handled(try handle(command, self))
      case .asynchronous(let handle): return .handled(try await handle(command, self))
      }
    } catch {
      return .failed(error)
    }
  }

  /// Calls a handler in a task that has another cause meanwhile.
  @usableFromInline
  func call(
    _ handler: RegisteredHandler<CommandType>,
    _ command: CommandType,
    as cause: Cause
  ) async -> Outcome<CommandType.Output> {
    await cause.perform { await callWaiting(handler, command) }
  }

  /// Ends a command that was carried out in its caller, and that no task can cancel, because `execute` has not returned
  /// yet.
  ///
  /// - Returns: the outcome of publishing the last event.
  @inlinable
  func end(_ outcome: Outcome<CommandType.Output>) -> Outcome<Void>? {
    run.endAlone()
    noteEnd(outcome)
    return publish(last: outcome)
  }

  /// Ends a command that was carried out in the task of its caller.
  ///
  /// - Returns: the outcome, which is a `CancellationError` if the task was cancelled before, and that of publishing
  ///   it.
  @inlinable
  func endUnlessCancelled(
    _ outcome: Outcome<CommandType.Output>
  ) -> (outcome: Outcome<CommandType.Output>, publication: Outcome<Void>?) {
    if run.endInCaller(as: RunPhase.over) {
      noteEnd(outcome)
      return (outcome, publish(last: outcome))
    }
    let cancelled = CancellationError()
    noteEnd(.failed(cancelled))
    return (.failed(cancelled), submit(.error(cancelled), isLast: true))
  }

  /// The execution of a command that was carried out in its caller, while the lane delivers: who awaits it waits until
  /// its last event has been delivered.
  @inlinable
  @inline(never)
  func execution(
    over outcome: Outcome<CommandType.Output>,
    _ publication: Outcome<Void>?
  ) -> Execution<CommandType.Output> {
    let settled = Run(identity)
    _ = settled.finish()
    settled.settle(outcome, publication)
    lane.tellWhenDelivered(settled)
    return Execution(settled, of: CommandType.self)
  }
}
