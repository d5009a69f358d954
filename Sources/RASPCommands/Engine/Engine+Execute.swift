extension Engine {
  /// Executes a command: its handler runs once, and the reactions to this type of command hear of what it publishes.
  ///
  /// With a ``SynchronousCommandHandler``, and no middleware that may wait, it is done when this returns. Otherwise it is
  /// done in a task of its own, which begins at once and belongs to the execution.
  ///
  /// A command without a handler fails with ``EngineError/noHandler(_:)``: the execution and the error handler say so, the
  /// reactions do not hear of it.
  ///
  /// - Returns: the execution, to be awaited or cancelled; ignoring it changes nothing.
  @inlinable
  @discardableResult
  public func execute<Executed: Command>(_ command: Executed) -> Execution<Executed.Output> {
    start(command, reaction: nil)
  }

  /// Executes a command with a reaction of its own, which hears of this one execution and goes with it.
  ///
  ///     engine.execute(BookList(), reaction: Reaction(consume: { print($0.count) }))
  ///
  /// It takes its turn behind the reactions that were registered before.
  ///
  /// - Returns: the execution; ignoring it changes nothing.
  @inlinable
  @discardableResult
  public func execute<Executed: Command>(
    _ command: Executed,
    reaction: some ReactionBuilder<Executed.Output>
  ) -> Execution<Executed.Output> {
    start(command, reaction: reaction.buildReaction())
  }

  /// Builds a command and executes it.
  ///
  /// If it cannot be built, the execution has failed, as if a handler had thrown.
  ///
  /// - Returns: the execution; ignoring it changes nothing.
  @discardableResult
  public func execute<Builder: CommandBuilder>(
    builder: Builder
  ) -> Execution<Builder.BuiltCommand.Output> {
    let command: Builder.BuiltCommand
    do {
      command = try builder.buildCommand()
    } catch {
      let run: Run<Builder.BuiltCommand> = run(reaction: nil)
      run.finish(.failed(error))
      return run.execution
    }
    return execute(command)
  }

  @inlinable
  func start<Executed: Command>(
    _ command: Executed,
    reaction: Reaction<Executed.Output>?
  ) -> Execution<Executed.Output> {
    let run: Run<Executed> = run(reaction: reaction)
    run.perform(command)
    return run.execution
  }

  @inlinable
  func run<Executed: Command>(reaction: Reaction<Executed.Output>?) -> Run<Executed> {
    let (channel, pipeline) = core.lookUp(Executed.self)
    return Run(core: core, channel: channel, pipeline: pipeline, reaction: reaction)
  }
}
