extension Run {
  /// Carries out the command: on this thread if neither handler nor middleware may wait, and in a task otherwise.
  @inlinable
  func perform(_ command: CommandType) {
    switch lane.handler {
    case .asynchronous(let handle)?:
      start { [self] in await outcomeWaiting(of: command, handle) }
    case .synchronous(let handle)? where pipeline.mayWait:
      start { [self] in await outcomeWaiting(of: command, handle) }
    case .synchronous(let handle)?:
      finish(outcome(of: command, handle))
    case nil:
      refuse(command)
    }
  }

  @inlinable
  func outcome(
    of command: CommandType,
    _ handle: @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  ) -> CommandOutcome<CommandType.Output> {
    do {
      if pipeline.hasCommands { return try intercepted(command, handle) }
      return .handled(try handle(command, Publisher(self)))
    } catch {
      return .failed(error)
    }
  }

  @inlinable
  func outcomeWaiting(
    of command: CommandType,
    _ handle: @Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output
  ) async -> CommandOutcome<CommandType.Output> {
    do {
      if pipeline.hasCommands { return try await interceptedWaiting(command, handle) }
      return .handled(try await handle(command, Publisher(self)))
    } catch {
      return .failed(error)
    }
  }

  /// Fails a command without a handler, at the end of the middleware.
  @usableFromInline
  func refuse(_ command: CommandType) {
    let handle: @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output = { [self] _, _ in
      isUndeliverable.store(true, ordering: .releasing)
      throw EngineError.noHandler(CommandType.self)
    }
    if pipeline.mayWait {
      start { [self] in await outcomeWaiting(of: command, handle) }
    } else {
      finish(outcome(of: command, handle))
    }
  }

  @usableFromInline
  func start(_ work: @escaping @Sendable () async -> CommandOutcome<CommandType.Output>) {
    let task = Task { finish(await work()) }
    execution.begin(cancellation(of: task))
  }
}
