public import Streams

extension EngineProtocol {
  /// Executes a command: its handler runs once, and the reactions to this type of command get the events that it
  /// publishes.
  ///
  /// - Ordering: the last event of the execution is published before the execution has its outcome. The reactions have
  ///   got it when ``Execution/wait()`` or ``Execution/value`` returns.
  /// - Concurrency: with a handler that never waits, and no middleware that waits, the command is done when this
  ///   returns. Otherwise it runs in a task of its own, which starts at once and belongs to the execution. What happens
  ///   while another command of this type is running says ``Command/overlap``.
  /// - Errors: a command without a handler fails with ``EngineError/noHandler(_:)``. The execution and the error
  ///   handler get this error, and the reactions do not.
  /// - Complexity: O(reactions to this type of command), in addition to the work of middleware and handler.
  /// - Returns: the execution, to await or to cancel it. It may be ignored.
  @inlinable
  @discardableResult
  public func execute<CommandType: Command>(_ command: CommandType) -> Execution<CommandType.Output> {
    let registry = handle.registry
    let (route, pipeline) = registry.look(up: CommandType.self)
    return route.execute(command, as: registry.begin(command), pipeline, registry)
  }

  /// Executes a command and returns its result, as a call of an asynchronous function does.
  ///
  ///     let books = try await engine.value(of: BookList())
  ///
  /// A handler that waits runs as part of the task that calls this, so no task is made for it. `execute(_:)` is for
  /// everything else: it returns at once, and with it a handle that can be kept, shared and cancelled.
  ///
  /// - Ordering: the reactions have got all events of the execution, the last one included, when this returns. One that
  ///   runs on the main actor may get it later.
  /// - Concurrency: may be called from any task. The handler runs where it does with `execute(_:)`, which is not the
  ///   actor of the caller. If the task is cancelled, everything that the handler still publishes, returns or throws is
  ///   dropped, and the reactions get a `CancellationError`. This returns when the handler has returned. A command that
  ///   has an ``Command/overlap`` or a ``Command/timeLimit``, or goes through command middleware, is executed as by
  ///   `execute(_:)`.
  /// - Errors: as ``Execution/value``.
  /// - Complexity: as `execute(_:)`.
  @inlinable
  nonisolated(nonsending) public func value<CommandType: Command>(
    of command: CommandType
  ) async throws -> CommandType.Output {
    let registry = handle.registry
    let (route, pipeline) = registry.look(up: CommandType.self)
    let identity = registry.begin(command)
    if let execution = route.atOnce(command, as: identity, pipeline, registry, isAwaited: true) {
      guard case .over(let outcome, _) = execution.state else { return try await execution.value }
      return try outcome.value(of: CommandType.self)
    }
    return try await route.outcome(of: command, as: identity, pipeline, registry).value(of: CommandType.self)
  }

  /// Executes a command with a reaction of its own, which gets the events of this one execution.
  ///
  ///     engine.execute(BookList(), reaction: Reaction(consume: { print($0.count) }))
  ///
  /// - Ordering: the reaction comes after the reactions that were registered before.
  /// - Complexity: as `execute(_:)`.
  /// - Returns: the execution. It may be ignored.
  @inlinable
  @discardableResult
  public func execute<CommandType: Command>(
    _ command: CommandType,
    reaction: Reaction<CommandType.Output>
  ) -> Execution<CommandType.Output> {
    let registry = handle.registry
    let (route, pipeline) = registry.look(up: CommandType.self)
    let own = OwnReaction<CommandType>(after: route.lane.newestOrder, reaction)
    return route.execute(command, as: registry.begin(command), pipeline, registry, own)
  }

  /// Executes a command whose type is known at run time only, as a router does that decides what to execute.
  ///
  ///     let command: any Command = router.command(for: url)
  ///     engine.execute(command)
  ///
  /// Everything that holds for `execute(_:)` holds here.
  ///
  /// - Returns: the execution, whose result is the result of the command. It may be ignored.
  @_disfavoredOverload
  @discardableResult
  public func execute(_ command: any Command) -> Execution<any Sendable> {
    let registry = handle.registry
    // An instance of a subclass is executed as what it is, and has a key of its own.
    if let execute = registry.erased(ObjectIdentifier(type(of: command))) { return execute(command, registry) }
    func open<CommandType: Command>(_ command: CommandType) -> Execution<any Sendable> {
      let execution: Execution<CommandType.Output> = execute(command)
      return execution.erased
    }
    return open(command)
  }
}
