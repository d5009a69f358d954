extension Run {
  /// Carries the command out through middleware that does not wait.
  @usableFromInline
  func intercepted(
    _ command: CommandType,
    _ handle: (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  ) throws -> CommandOutcome<CommandType.Output> {
    let stages = pipeline.synchronousCommands ?? []
    let engine = Engine(borrowing: core)
    var output: CommandType.Output?

    func pass(_ command: any Command, to index: Int) throws -> Interception {
      guard index < stages.count else {
        output = nil
        output = try handle(recognise(command), Publisher(self))
        return .passed
      }
      return try stages[index].interceptSynchronously(command, in: engine) { try pass($0, to: index + 1) }
    }

    return outcome(try pass(command, to: 0), output)
  }

  /// Carries the command out through middleware that may wait.
  @usableFromInline
  func interceptedWaiting(
    _ command: CommandType,
    _ handle: (CommandType, Publisher<CommandType>) async throws -> CommandType.Output
  ) async throws -> CommandOutcome<CommandType.Output> {
    let stages = pipeline.commands
    let engine = Engine(borrowing: core)
    var output: CommandType.Output?

    func pass(_ command: any Command, to index: Int) async throws -> Interception {
      guard index < stages.count else {
        output = nil
        output = try await handle(recognise(command), Publisher(self))
        return .passed
      }
      return try await stages[index].intercept(command, in: engine) { try await pass($0, to: index + 1) }
    }

    return outcome(try await pass(command, to: 0), output)
  }

  /// The outcome of the last attempt, unless a middleware stopped it.
  private func outcome(_ interception: Interception, _ output: CommandType.Output?) -> CommandOutcome<
    CommandType.Output
  > {
    guard interception == .passed, let output else { return .stopped }
    return .handled(output)
  }

  private func recognise(_ command: any Command) throws -> CommandType {
    let recognised = command as? CommandType
    isUndeliverable.store(recognised == nil, ordering: .releasing)
    guard let recognised else {
      throw EngineError.wrongCommand(CommandType.self, passedOn: type(of: command))
    }
    return recognised
  }
}
