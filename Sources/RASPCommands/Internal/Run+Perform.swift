extension Run {
  /// Carries out the command: here and now if nothing on the way may wait, and in a task otherwise.
  @inlinable
  func perform(_ command: Subject) {
    switch channel.handling {
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
    of command: Subject,
    _ handle: @Sendable (Subject, Publisher<Subject>) throws -> Subject.Output
  ) -> CommandOutcome<Subject.Output> {
    do {
      if pipeline.hasCommands { return try intercepted(command, handle) }
      return .handled(try handle(command, Publisher(self)))
    } catch {
      return .failed(error)
    }
  }

  @inlinable
  func outcomeWaiting(
    of command: Subject,
    _ handle: @Sendable (Subject, Publisher<Subject>) async throws -> Subject.Output
  ) async -> CommandOutcome<Subject.Output> {
    do {
      if pipeline.hasCommands { return try await interceptedWaiting(command, handle) }
      return .handled(try await handle(command, Publisher(self)))
    } catch {
      return .failed(error)
    }
  }

  /// Without a handler the middleware still has its say, and the failure is at its end.
  @usableFromInline
  func refuse(_ command: Subject) {
    let handle: @Sendable (Subject, Publisher<Subject>) throws -> Subject.Output = { [self] _, _ in
      isUndeliverable.store(true, ordering: .releasing)
      throw EngineError.noHandler(Subject.self)
    }
    if pipeline.mayWait {
      start { [self] in await outcomeWaiting(of: command, handle) }
    } else {
      finish(outcome(of: command, handle))
    }
  }

  @usableFromInline
  func start(_ work: @escaping @Sendable () async -> CommandOutcome<Subject.Output>) {
    let task = Task { finish(await work()) }
    execution.begin(cancellation(of: task))
  }
}
