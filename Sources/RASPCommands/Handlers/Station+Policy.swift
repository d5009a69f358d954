public import Streams

// The way of a command that has a policy, or goes through middleware. What does not depend on the type of the command
// stands in `Overlaps` and `Pipeline`; what stands here is compiled where the type is known, and is short.
extension Station {
  /// Carries out a command behind its policy and its middleware.
  @inlinable
  @inline(never)
  func performWithPolicy(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    guard let overlaps else { return publisher.identity.deliver { carryOut(command, publisher) } }
    publisher.begin(nil)
    overlaps.admit(publisher.run, on: publisher.registry.scheduler) { isAdmitted in
      if isAdmitted { self.carryOut(command, publisher) } else { publisher.finish(.stopped) }
    }
  }

  @inlinable
  func carryOut(_ command: CommandType, _ publisher: Publisher<CommandType>) {
    guard let pipeline = publisher.pipeline, pipeline.hasCommands else { return handle(command, publisher) }
    let passage = pipeline.pass(command, of: publisher.run, publisher.registry) { command in
      self.attempt(command, publisher)
    }
    if let outcome = passage.outcomeNow { return publisher.finish(behindMiddleware: outcome) }
    publisher.begin(passage.startTask(by: publisher.identity) { publisher.finish(behindMiddleware: $0) })
  }

  /// Calls the handler at the end of the middleware.
  @inlinable
  func attempt(_ command: any Command, _ publisher: Publisher<CommandType>) -> Passage<any Command> {
    let run = publisher.run
    guard let command = same(command, as: CommandType.self) else {
      run.note(Attempt(nil))
      return publisher.carryOutForeign(command)
    }
    guard let handler else {
      run.note(Attempt(nil, isUndelivered: true))
      return Passage(.failed(EngineError.noHandler(CommandType.self)))
    }
    // The middleware may have passed the command on in a delivery or a task of something else.
    guard let outcome = publisher.identity.deliver({ handler.callNow(command, publisher) }) else {
      return later(handler, command, publisher)
    }
    switch outcome {
    case .handled(let output):
      run.note(Attempt(output))
      return Passage(.handled(()))
    case .stopped:
      run.note(Attempt(nil))
      return Passage(.stopped)
    case .failed(let error):
      run.note(Attempt(nil))
      return Passage(.failed(error))
    }
  }

  /// The way of a command whose handler waits.
  @usableFromInline
  func later(
    _ handler: AnyHandler<CommandType>,
    _ command: CommandType,
    _ publisher: Publisher<CommandType>
  ) -> Passage<any Command> {
    Passage(waiting: {
      let outcome = await self.call(handler, command, publisher, as: publisher.identity.cause)
      publisher.run.note(Attempt(outcome.output))
      return outcome.map { _ in }
    })
  }
}

extension Publisher {
  /// Ends the execution with the outcome of the outermost middleware and the result of the last attempt.
  @inlinable
  func finish(behindMiddleware outcome: Outcome<Void>) {
    let attempt = run.takeAttempt()
    switch outcome {
    case .handled:
      finish(attempt.output.flatMap { same($0, as: CommandType.Output.self) }.map { .handled($0) } ?? .stopped)
    case .stopped:
      finish(.stopped)
    case .failed(let error):
      finish(.failed(error), isUndelivered: attempt.isUndelivered(error, CommandType.self))
    }
  }

  /// Carries out a command of another type, which a middleware has passed on, behind the middleware.
  @usableFromInline
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
