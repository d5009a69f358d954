public import Streams

extension EngineProtocol {
  /// Registers the handler of a type of command.
  ///
  /// - Errors: throws ``EngineError/duplicateHandler(_:)`` if there is a handler and `replacing` is `false`. The first
  ///   handler stays.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - handler: carries out the commands from now on.
  ///   - replacing: if `true`, the handler replaces another one, which finishes the commands that it has begun.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler, unless another one has
  ///   replaced it. The handler finishes the commands that it has begun, and an ``ActionCommand`` handles itself again.
  @inlinable
  @discardableResult
  public func use<Handler: CommandHandler>(_ handler: Handler, replacing: Bool = false) throws(EngineError)
    -> Registration
  {
    try install(handler._handlerCall, replacing)
  }

  /// Registers a closure as the handler of a type of command.
  ///
  ///     try engine.use(BookList.self) { _, publish in
  ///       publish(.progress)
  ///       return try await api.books()
  ///     }
  ///
  /// - Errors: throws ``EngineError/duplicateHandler(_:)`` if there is a handler and `replacing` is `false`. An error
  ///   that `handler` throws fails the execution.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, the handler replaces another one.
  ///   - handler: carries out a command, see ``CommandHandler``.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @inlinable
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    handler: @escaping @Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output
  ) throws(EngineError) -> Registration {
    try install(.asynchronous(handler), replacing)
  }

  /// Registers a closure that never waits as the handler of a type of command. It runs on the thread that executes the
  /// command.
  ///
  ///     try engine.use(Add.self, synchronously: { command, _ in command.left + command.right })
  ///
  /// - Errors: throws ``EngineError/duplicateHandler(_:)`` if there is a handler and `replacing` is `false`. An error
  ///   that `handler` throws fails the execution.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, the handler replaces another one.
  ///   - handler: carries out a command, see ``CommandHandler``.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @inlinable
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    synchronously handler: @escaping @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  ) throws(EngineError) -> Registration {
    try install(.synchronous(handler), replacing)
  }

  /// Registers a closure that ends its command in a callback as the handler of a type of command.
  ///
  ///     try engine.use(BookList.self, completing: { _, publish, done in
  ///       api.loadBooks { result in done(result) }
  ///     })
  ///
  /// The execution lasts until `done` is called, so what is published in the callback before that is in time.
  ///
  /// - Concurrency: the closure is called in the execution's task. When the execution is cancelled, what the callback
  ///   still publishes or hands to `done` is dropped.
  /// - Errors: throws ``EngineError/duplicateHandler(_:)`` if there is a handler and `replacing` is `false`. A callback
  ///   that is dropped without calling `done` fails the execution with ``EngineError/notCompleted(_:)``.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - command: the type of the commands.
  ///   - replacing: if `true`, the handler replaces another one.
  ///   - handler: begins to carry out a command, and hands the ``Completion`` to its callback.
  /// - Returns: the registration, which may be ignored. Cancelling it removes the handler.
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    completing handler: @escaping @Sendable (CommandType, Publisher<CommandType>, Completion<CommandType>) -> Void
  ) throws(EngineError) -> Registration {
    try use(command, replacing: replacing) { command, publish in
      try await withCheckedThrowingContinuation { handler(command, publish, Completion($0)) }
    }
  }

  /// Returns `true` if this type of command has a handler, which an ``ActionCommand`` always has.
  ///
  /// - Complexity: O(1).
  package func contains<CommandType: Command>(_ command: CommandType.Type) -> Bool {
    handle.registry.route(of: command).handler != nil
  }

  @inlinable
  func install<CommandType: Command>(_ handler: _HandlerCall<CommandType>, _ replacing: Bool) throws(EngineError)
    -> Registration
  {
    // Made here, where the type is known.
    try install(handler, replacing) { command, registry in
      guard let command = same(command, as: CommandType.self) else {
        preconditionFailure("A command is executed as one of another type.")
      }
      let execution: Execution<CommandType.Output> = EngineHandle(registry).execute(command)
      return execution.erased
    }
  }

  @usableFromInline
  func install<CommandType: Command>(
    _ handler: _HandlerCall<CommandType>,
    _ replacing: Bool,
    _ erased: @escaping Registry.Erased
  ) throws(EngineError) -> Registration {
    let registry = handle.registry
    let route = registry.route(of: CommandType.self)
    registry.keep(erased, ObjectIdentifier(CommandType.self))
    guard let registration = route.install(handler, replacing: replacing) else {
      throw .duplicateHandler(CommandType.self)
    }
    return registration
  }
}
