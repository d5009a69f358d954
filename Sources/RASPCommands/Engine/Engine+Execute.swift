extension Engine {
  /// Executes a command: its handler runs once, and the reactions to this type of command get the events that it
  /// publishes.
  ///
  /// - Ordering: the last event of the execution is published before the execution has its outcome.
  /// - Concurrency: with a ``SynchronousCommandHandler``, and no middleware that may wait, the command is done when
  ///   this returns. Otherwise it runs in a task of its own, which starts at once and belongs to the execution.
  /// - Errors: a command without a handler fails with ``EngineError/noHandler(_:)``. The execution and the error
  ///   handler get this error, and the reactions do not.
  /// - Complexity: O(reactions to this type of command), in addition to the work of middleware and handler.
  /// - Returns: the execution, to await or to cancel it. It may be ignored.
  @inlinable
  @discardableResult
  public func execute<CommandType: Command>(_ command: CommandType) -> Execution<CommandType.Output> {
    start(command, reaction: nil)
  }

  /// Executes a command with a reaction of its own, which gets the events of this one execution.
  ///
  ///     engine.execute(BookList(), reaction: Reaction(consume: { print($0.count) }))
  ///
  /// - Ordering: the reaction comes after the reactions that were registered before.
  /// - Complexity: as ``execute(_:)``.
  /// - Returns: the execution. It may be ignored.
  @inlinable
  @discardableResult
  public func execute<CommandType: Command>(
    _ command: CommandType,
    reaction: some ReactionBuilder<CommandType.Output>
  ) -> Execution<CommandType.Output> {
    start(command, reaction: reaction.buildReaction())
  }

  /// Builds a command and executes it.
  ///
  /// - Errors: if the command cannot be built, the execution fails, as if a handler had thrown the error.
  /// - Returns: the execution. It may be ignored.
  @discardableResult
  public func execute<Builder: CommandBuilder>(
    builder: Builder
  ) -> Execution<Builder.CommandType.Output> {
    let command: Builder.CommandType
    do {
      command = try builder.buildCommand()
    } catch {
      let run: Run<Builder.CommandType> = run(reaction: nil)
      run.finish(.failed(error))
      return run.execution
    }
    return execute(command)
  }

  @inlinable
  func start<CommandType: Command>(
    _ command: CommandType,
    reaction: Reaction<CommandType.Output>?
  ) -> Execution<CommandType.Output> {
    let run: Run<CommandType> = run(reaction: reaction)
    run.perform(command)
    return run.execution
  }

  @inlinable
  func run<CommandType: Command>(reaction: Reaction<CommandType.Output>?) -> Run<CommandType> {
    let (lane, pipeline) = core.lookUp(CommandType.self)
    return Run(core: core, lane: lane, pipeline: pipeline, reaction: reaction)
  }
}
