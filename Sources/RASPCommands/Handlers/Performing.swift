import RASPSupport
public import Streams

extension Station {
  /// Carries out a command at once, on this thread. There is no run, because no task can wait for the command.
  ///
  /// - Returns: the execution, which is over; `nil`, and nothing was done, if a handler, a middleware or the policy of
  ///   the command may wait.
  @inlinable
  @inline(__always)
  func performAtOnce(
    _ command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>? = nil
  ) -> Execution<CommandType.Output>? {
    guard isPlain, pipeline == nil, let handler else { return nil }
    let publisher = Publisher(EventOrigin(identity), lane, nil, registry, own)
    guard let outcome = publisher.callNow(handler, command) else { return nil }
    let publication = publisher.endAtOnce(outcome)
    return Execution(over: outcome, publication, of: CommandType.self)
  }

  /// Carries out a command in the task of the caller, which waits for the handler.
  ///
  /// - Returns: the outcome; `nil`, and nothing was done, if a middleware or the policy of the command may wait, or if
  ///   there is no handler.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func performInCaller(
    _ command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry
  ) async -> Outcome<CommandType.Output>? {
    guard isDirect(behind: pipeline), let handler else { return nil }
    let origin = EventOrigin(identity)
    let publisher = Publisher(origin, lane, pipeline, registry, nil)
    let outcome = await withTaskCancellationHandler {
      if !origin.isOpen { return Outcome<CommandType.Output>.failed(CancellationError()) }
      return identity.isUnknown
        ? await handler.call(command, publisher) : await call(handler, command, publisher, as: identity.cause)
    } onCancel: {
      _ = origin.end(as: OriginPhase.withdrawn)
    }
    return publisher.endInCaller(outcome)
  }

  /// Calls a handler in the task of the caller, which has another cause meanwhile.
  @usableFromInline
  func call(
    _ handler: AnyHandler<CommandType>,
    _ command: CommandType,
    _ publisher: Publisher<CommandType>,
    as cause: Cause
  ) async -> Outcome<CommandType.Output> {
    await cause.perform { await handler.call(command, publisher) }
  }

  /// Returns `true` if nothing stands between a command and its handler.
  @inlinable
  @inline(__always)
  func isDirect(behind pipeline: Pipeline?) -> Bool {
    isPlain && pipeline?.hasCommands != true
  }

  /// Carries out a command: on this thread if neither handler nor middleware waits, and in a task, later, or not at all
  /// otherwise.
  ///
  /// - Returns: the execution, which has a run.
  @inlinable
  func perform(
    _ command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>? = nil
  ) -> Execution<CommandType.Output> {
    let run = Run(identity)
    perform(command, Publisher(run, lane, pipeline, registry, own))
    return Execution(run, of: CommandType.self)
  }

  @inlinable
  func perform(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    if isDirect(behind: publisher.pipeline) {
      handle(command, publisher)
    } else {
      performWithPolicy(command, publisher)
    }
  }

  @inlinable
  @inline(never)
  func handle(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    guard let handler else {
      return publisher.finish(.failed(EngineError.noHandler(CommandType.self)), isUndelivered: true)
    }
    if let outcome = publisher.callNow(handler, command) { return publisher.finish(outcome) }
    publisher.begin(
      publisher.identity.startTask { Task { publisher.finish(await handler.call(command, publisher)) } }
    )
  }
}

extension Publisher {
  @inlinable var identity: CarriedCause { origin.identity }

  /// Calls a handler without a task.
  ///
  /// - Returns: the outcome; `nil` if the handler waits.
  @inlinable
  @inline(__always)
  func callNow(_ handler: AnyHandler<CommandType>, _ command: CommandType) -> Outcome<CommandType.Output>? {
    // What is unknown is unknown around the handler, too.
    if identity.isUnknown { return handler.callNow(command, self) }
    return registry.recorders.deliver(as: identity) { handler.callNow(command, self) }
  }

  /// Makes the execution one that can be cancelled.
  ///
  /// - Parameter task: belongs to the execution, and finishes it; `nil` if it waits for its turn.
  @inlinable
  func begin(_ task: Task<Void, Never>?) {
    run.begin(Canceller(task: task) { completeWithdrawal($0) })
  }
}

extension CommandEvent: ForeignEvent {
  func deliver(in registry: Registry) -> Outcome<Void> {
    let lane = registry.station(of: CommandType.self).lane
    return lane.submit(self, of: nil, own: nil, isLast: false) ? .handled : .stopped
  }
}
