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
    _ registry: Registry
  ) -> Execution<CommandType.Output>? {
    guard isPlain, pipeline == nil, let handler else { return nil }
    let publisher = Publisher(EventOrigin(identity), lane, nil, registry, nil)
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
  @inline(__always)
  func handle(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    guard let handler else {
      return publisher.finish(.failed(EngineError.noHandler(CommandType.self)), isUndelivered: true)
    }
    if let outcome = publisher.callNow(handler, command) { return publisher.finish(outcome) }
    publisher.begin(
      publisher.identity.startTask { Task { publisher.finish(await handler.call(command, publisher)) } }
    )
  }

  @usableFromInline
  func performWithPolicy(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    if isPlain { return publisher.identity.deliver { carryOut(command, publisher) } }
    publisher.begin(nil)
    let entry = Entry(run: publisher.run) {
      guard publisher.run.isOpen else { return }
      self.limit(publisher)
      // Another execution may have ended just now, and this one begins on its thread.
      publisher.identity.deliver { self.carryOut(command, publisher) }
    }
    admit(entry) { publisher.finish(.stopped) }
  }

  /// Ends the execution when its time is over.
  private func limit(_ publisher: Publisher<CommandType>) {
    guard let limit = CommandType.timeLimit else { return }
    let (run, identity, scheduler) = (publisher.run, publisher.identity, publisher.registry.scheduler)
    let timer = scheduler.schedule(at: scheduler.now.later(by: limit)) { [weak run] in
      identity.deliver { _ = run?.end(with: EngineError.timedOut(CommandType.self)) }
    }
    run.onSettled { timer.cancel() }
  }

  private func carryOut(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    if let pipeline = publisher.pipeline, pipeline.hasCommands {
      return carryOut(command, publisher, through: pipeline)
    }
    handle(command, publisher)
  }

  // MARK: Middleware

  private func carryOut(_ command: CommandType, _ publisher: Publisher<CommandType>, through pipeline: Pipeline) {
    let attempt = Attempt<CommandType>()
    let passage = Pipeline.pass(command, through: pipeline.commands[...], of: publisher.engine) { command in
      guard publisher.run.isOpen else { return .failed(CancellationError()) }
      guard let command = command as? CommandType else {
        attempt.ended(nil)
        return publisher.carryOutForeign(command)
      }
      return self.attempt(command, publisher, attempt)
    }
    switch passage.way {
    case .over(let outcome): attempt.finish(publisher, outcome)
    case .waiting(let waiting):
      publisher.begin(publisher.identity.startTask { Task { attempt.finish(publisher, await waiting()) } })
    }
  }

  /// Calls the handler at the end of the middleware.
  private func attempt(
    _ command: CommandType,
    _ publisher: Publisher<CommandType>,
    _ attempt: Attempt<CommandType>
  ) -> Passage<any Command> {
    guard let handler else {
      attempt.ended(nil, isUndelivered: true)
      return .failed(EngineError.noHandler(CommandType.self))
    }
    // The middleware may have passed the command on in a delivery or a task of something else.
    if let outcome = publisher.identity.deliver({ handler.callNow(command, publisher) }) {
      attempt.ended(outcome.output)
      return Passage(outcome.map { _ in })
    }
    return Passage(waiting: {
      let outcome = await self.call(handler, command, publisher, as: publisher.identity.cause)
      attempt.ended(outcome.output)
      return outcome.map { _ in }
    })
  }
}

/// The last attempt to carry out a command at the end of its middleware.
private final class Attempt<CommandType: Command>: Sendable {
  private struct Last: Sendable {
    var output: CommandType.Output?
    /// Is `true` if there was no handler. The error alone does not tell: a handler that executes the command on another
    /// engine may get the same from there.
    var isUndelivered = false
  }

  private let last = Lock(Last())

  func ended(_ output: CommandType.Output?, isUndelivered: Bool = false) {
    last.exchange(with: Last(output: output, isUndelivered: isUndelivered))
  }

  /// Ends the execution with the outcome of the outermost middleware and the result of the last attempt.
  func finish(_ publisher: Publisher<CommandType>, _ outcome: Outcome<Void>) {
    let last = last.withLock { $0 }
    switch outcome {
    case .handled:
      publisher.finish(last.output.map { .handled($0) } ?? .stopped)
    case .stopped:
      publisher.finish(.stopped)
    case .failed(let error):
      let isNoHandler = error as? EngineError == .noHandler(CommandType.self)
      publisher.finish(.failed(error), isUndelivered: last.isUndelivered && isNoHandler)
    }
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

  /// Carries out a command of another type, which a middleware has passed on, behind the middleware.
  func carryOutForeign(_ command: any Command) -> Passage<any Command> {
    func open<Other: Command>(_ command: Other) -> Passage<any Command> {
      let station = registry.station(of: Other.self)
      let events = pipeline.flatMap { Pipeline(commands: [], events: $0.events) }
      // The execution that is replaced has brought it about, wherever the middleware has passed it on.
      let execution = identity.deliver { station.perform(command, as: registry.begin(command), events, registry) }
      if let outcome = execution.outcome { return Passage(outcome.map { _ in }) }
      return Passage(waiting: { await execution.wait().map { _ in } })
    }
    return open(command)
  }
}

extension CommandEvent: ForeignEvent {
  func deliver(in registry: Registry) -> Outcome<Void> {
    let lane = registry.station(of: CommandType.self).lane
    return lane.submit(self, of: nil, own: nil, isLast: false) ? .handled : .stopped
  }
}
