public import Streams

// A command whose sender may get an execution that is still running. What does not depend on the type of the command
// stands in `Overlaps` and `Pipeline`; what stands here is compiled where the type is known, and is short.
extension Route {
  /// Carries out a command behind its policy and its middleware: on this thread if nothing waits, and in a task, later,
  /// or not at all otherwise.
  @inlinable
  @inline(never)
  func run(
    _ command: CommandType,
    as identity: CarriedCause,
    _ pipeline: Pipeline?,
    _ registry: Registry,
    _ own: OwnReaction<CommandType>?
  ) -> Execution<CommandType.Output> {
    // Middleware of events alone does not wait, and does not stand between a command and its handler.
    if overlaps == nil, pipeline?.hasCommands != true, let handler, handler.isSynchronous {
      return atOnce(command, handler, as: identity, pipeline, registry, own)
    }
    let run = Run(identity)
    let publisher = Publisher(run, lane, pipeline, registry, own)
    if let overlaps {
      publisher.begin(nil)
      let key = overlaps.asksForKeys ? command.overlapKey : nil
      switch overlaps.admit(run, under: key, reportingTo: registry.errors) {
      case .now(let place): carryOut(command, publisher, in: place)
      case .later(let place):
        // Made by the sender, whose task-local values it has: the one before it ends somewhere else.
        identity.startTask {
          AmbientExecutor.startTask {
            if await place.waitForTurn() { self.carryOut(command, publisher, in: place) }
          }
        }
      case .dropped: publisher.finish(.stopped)
      }
    } else {
      identity.deliver { carryOut(command, publisher) }
    }
    return Execution(run, of: CommandType.self)
  }

  /// Carries out a command that has a policy, when its turn has come.
  @inlinable
  func carryOut(_ command: CommandType, _ publisher: Publisher<CommandType>, in place: Place?) {
    guard publisher.run.isOpen else { return }
    overlaps?.limit(publisher.run, on: publisher.registry.scheduler)
    publisher.identity.deliver {
      guard let place else { return carryOut(command, publisher) }
      place.begin { carryOut(command, publisher) }
    }
  }

  @inlinable
  func carryOut(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    if let pipeline = publisher.pipeline, pipeline.hasCommands { return carryOut(command, publisher, behind: pipeline) }
    guard let handler else {
      return publisher.finish(.failed(EngineError.noHandler(CommandType.self).about(command)), isUndelivered: true)
    }
    if handler.isSynchronous { return publisher.finish(publisher.outcome(of: handler, command)) }
    publisher.begin(
      publisher.identity.startTask {
        AmbientExecutor.startTask { publisher.finish(await publisher.callWaiting(handler, command)) }
      }
    )
  }

  // MARK: Middleware

  @inlinable
  func carryOut(_ command: CommandType, _ publisher: Publisher<CommandType>, behind pipeline: Pipeline) {
    let result = pipeline.pass(command, of: publisher.registry) { command in
      self.attempt(command, publisher)
    }
    if let outcome = result.outcomeNow { return publisher.finish(behindMiddleware: outcome) }
    publisher.begin(result.startTask(by: publisher.identity) { publisher.finish(behindMiddleware: $0) })
  }

  /// Calls the handler at the end of the middleware, unless the execution has ended meanwhile.
  @inlinable
  func attempt(_ command: any Command, _ publisher: Publisher<CommandType>) -> MiddlewareResult<any Command> {
    guard publisher.run.isOpen else { return .failed(CancellationError()) }
    guard let command = same(command, as: CommandType.self) else {
      publisher.run.note(Attempt(nil))
      return publisher.carryOutForeign(command)
    }
    guard let handler else {
      publisher.run.note(Attempt(nil, isUndelivered: true))
      return MiddlewareResult(.failed(EngineError.noHandler(CommandType.self).about(command)))
    }
    guard handler.isSynchronous else { return publisher.later(handler, command) }
    // The middleware may have passed the command on in a delivery of something else.
    let outcome = publisher.identity.deliver { publisher.outcome(of: handler, command) }
    publisher.run.note(Attempt(outcome.output))
    return MiddlewareResult(outcome.map { _ in })
  }
}

extension Publisher {
  /// The way of a command whose handler waits.
  @usableFromInline
  func later(
    _ handler: RegisteredHandler<CommandType>,
    _ command: CommandType
  ) -> MiddlewareResult<any Command> {
    MiddlewareResult(waiting: {
      let outcome = await call(handler, command, as: identity.cause)
      run.note(Attempt(outcome.output))
      return outcome.map { _ in }
    })
  }

  /// Carries out a command of another type, which a middleware has passed on, behind the middleware.
  @usableFromInline
  func carryOutForeign(_ command: any Command) -> MiddlewareResult<any Command> {
    func open<Other: Command>(_ command: Other) -> MiddlewareResult<any Command> {
      let events = pipeline.flatMap { Pipeline(commands: [], events: $0.events) }
      // The execution that is replaced has brought it about, wherever the middleware has passed it on.
      let execution = identity.deliver {
        registry.route(of: Other.self).execute(command, as: registry.begin(command), events, registry)
      }
      if let outcome = execution.outcome { return MiddlewareResult(outcome.map { _ in }) }
      return MiddlewareResult(waiting: { await execution.wait().map { _ in } })
    }
    return open(command)
  }

  // MARK: The end of a run

  /// Makes the execution one that can be cancelled.
  ///
  /// - Parameter task: belongs to the execution, and finishes it; `nil` if it waits for its turn.
  @inlinable
  func begin(_ task: Task<Void, Never>?) {
    run.begin(Canceller(task: task) { completeWithdrawal($0) })
  }

  /// Ends the run with the outcome of the handler.
  @inlinable
  func finish(_ outcome: Outcome<CommandType.Output>, isUndelivered: Bool = false) {
    if run.finish() { settle(outcome, isUndelivered: isUndelivered) }
  }

  /// Ends the run with the outcome of the outermost middleware and the result of the last attempt.
  @inlinable
  func finish(behindMiddleware outcome: Outcome<Void>) {
    guard let attempt = run.finishBehindMiddleware() else { return }
    switch outcome {
    case .handled:
      settle(attempt.output.flatMap { same($0, as: CommandType.Output.self) }.map { .handled($0) } ?? .stopped)
    case .stopped:
      settle(.stopped)
    case .failed(let error):
      settle(.failed(error), isUndelivered: attempt.isUndelivered(error, CommandType.self))
    }
  }

  @inlinable
  func settle(_ outcome: Outcome<CommandType.Output>, isUndelivered: Bool = false) {
    noteEnd(outcome, isUndelivered: isUndelivered)
    run.settle(outcome, publish(last: outcome, isUndelivered: isUndelivered))
    lane.tellWhenDelivered(run)
  }

  /// Makes the second step of ending the run from outside.
  @usableFromInline
  func completeWithdrawal(_ error: any Error) {
    noteEnd(.failed(error))
    let publication = submit(.error(error), isLast: true)
    if !(error is CancellationError) { report(error, isRescued: isRescued) }
    run.settle(Outcome<CommandType.Output>.failed(error), publication)
    lane.tellWhenDelivered(run)
  }
}
