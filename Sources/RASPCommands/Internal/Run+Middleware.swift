extension Run {
  /// The command on its way through middleware that does not wait.
  @usableFromInline
  func intercepted(
    _ command: Subject,
    _ handle: (Subject, Publisher<Subject>) throws -> Subject.Output
  ) throws -> CommandOutcome<Subject.Output> {
    let stages = pipeline.synchronousCommands ?? []
    let engine = Engine(borrowing: core)
    var output: Subject.Output?

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

  /// The command on its way through middleware that may wait.
  @usableFromInline
  func interceptedWaiting(
    _ command: Subject,
    _ handle: (Subject, Publisher<Subject>) async throws -> Subject.Output
  ) async throws -> CommandOutcome<Subject.Output> {
    let stages = pipeline.commands
    let engine = Engine(borrowing: core)
    var output: Subject.Output?

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

  /// What the last attempt resulted in, unless a middleware does not want it.
  private func outcome(_ interception: Interception, _ output: Subject.Output?) -> CommandOutcome<Subject.Output> {
    guard interception == .passed, let output else { return .stopped }
    return .handled(output)
  }

  private func recognise(_ command: any Command) throws -> Subject {
    let recognised = command as? Subject
    isUndeliverable.store(recognised == nil, ordering: .releasing)
    guard let recognised else {
      throw EngineError.wrongCommand(Subject.self, passedOn: type(of: command))
    }
    return recognised
  }
}
