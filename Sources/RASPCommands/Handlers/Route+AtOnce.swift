public import Streams

// A command is carried out in one of two ways. If nothing stands between it and its handler, the handler is called in the
// caller, at once: there is no run, because only the caller waits. Otherwise there is a run: see `Route+Run`.
//
//                     nothing between, handler never waits      nothing between, handler waits       all others
//   execute(_:)       at once                                   a run, which has a task              a run
//   value(of:)        at once                                   at once, in the task of the caller   a run
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
    guard case .synchronous(let handle)? = handler(behind: pipeline) else {
      return run(command, as: identity, pipeline, registry, own)
    }
    let publisher = Publisher(.caller(CallerOrigin(identity)), lane, pipeline, registry, own)
    let outcome = publisher.call(handle, command)
    return Execution(over: outcome, publisher.end(outcome), of: CommandType.self)
  }

  /// Carries out a command and returns its outcome: at once if nothing stands between it and its handler, and as a run
  /// otherwise.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func outcome(
    of command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry
  ) async -> Outcome<CommandType.Output> {
    guard let handler = handler(behind: pipeline) else {
      return await run(command, as: identity, pipeline, registry, nil).wait()
    }
    let caller = CallerOrigin(identity)
    let publisher = Publisher(.caller(caller), lane, pipeline, registry, nil)
    switch handler {
    case .synchronous(let handle):
      let outcome = publisher.call(handle, command)
      _ = publisher.end(outcome)
      return outcome
    case .asynchronous(let handle):
      let outcome = await withTaskCancellationHandler {
        if !caller.state.isOpen { return Outcome<CommandType.Output>.failed(CancellationError()) }
        return identity.isUnknown
          ? await publisher.call(handle, command) : await publisher.call(handle, command, as: identity.cause)
      } onCancel: {
        _ = caller.state.end(as: OriginPhase.withdrawn)
      }
      return publisher.endUnlessCancelled(outcome)
    }
  }
}

extension Publisher {
  /// Calls a handler that never waits.
  @inlinable
  @inline(__always)
  func call(_ handle: _HandlerCall<CommandType>.Synchronous, _ command: CommandType) -> Outcome<CommandType.Output> {
    // What is unknown is unknown around the handler, too.
    if identity.isUnknown { return outcome(of: handle, command) }
    return registry.recorders.deliver(as: identity) { outcome(of: handle, command) }
  }

  @inlinable
  @inline(__always)
  func outcome(
    of handle: _HandlerCall<CommandType>.Synchronous,
    _ command: CommandType
  ) -> Outcome<CommandType.Output> {
    do { return .handled(try handle(command, self)) } catch { return .failed(error) }
  }

  /// Calls a handler where asynchronous functions run, which is not the actor of the caller.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func call(
    _ handle: _HandlerCall<CommandType>.Asynchronous,
    _ command: CommandType
  ) async -> Outcome<CommandType.Output> {
    do { return .handled(try await handle(command, self)) } catch { return .failed(error) }
  }

  /// Calls a handler in a task that has another cause meanwhile.
  @usableFromInline
  func call(
    _ handle: @escaping _HandlerCall<CommandType>.Asynchronous,
    _ command: CommandType,
    as cause: Cause
  ) async -> Outcome<CommandType.Output> {
    await cause.perform { await call(handle, command) }
  }

  /// Ends a command that was carried out in its caller, and that no task can cancel, because `execute` has not returned
  /// yet.
  ///
  /// - Returns: the outcome of publishing the last event.
  @inlinable
  func end(_ outcome: Outcome<CommandType.Output>) -> Outcome<Void>? {
    let isFirst = origin.end(as: OriginPhase.over)
    assert(isFirst, "A command that only its caller can end has ended.")
    noteEnd(outcome)
    return publish(last: outcome)
  }

  /// Ends a command that was carried out in the task of its caller.
  ///
  /// - Returns: the outcome, which is a `CancellationError` if the task was cancelled before.
  @inlinable
  func endUnlessCancelled(_ outcome: Outcome<CommandType.Output>) -> Outcome<CommandType.Output> {
    if origin.end(as: OriginPhase.over) {
      noteEnd(outcome)
      _ = publish(last: outcome)
      return outcome
    }
    let cancelled = CancellationError()
    noteEnd(.failed(cancelled))
    _ = submit(.error(cancelled), isLast: true)
    return .failed(cancelled)
  }
}
