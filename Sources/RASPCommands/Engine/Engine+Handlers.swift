public import Streams

extension Engine {
  /// Registers the handler of a type of command.
  ///
  /// - Errors: throws ``EngineError/duplicateHandler(_:)`` if there is a handler and `replacing` is `false`. The first
  ///   handler stays.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - handler: carries out the commands from now on.
  ///   - replacing: if `true`, the handler replaces another one, which finishes the commands that it has begun.
  /// - Returns: a token. Cancelling it removes the handler, unless another one has replaced it; releasing it does
  ///   nothing. The handler finishes the commands that it has begun, and an ``Action`` handles itself again.
  @inlinable
  @discardableResult
  public func use<Handler: CommandHandler>(_ handler: Handler, replacing: Bool = false) throws(EngineError)
    -> Subscription
  {
    // A generic caller may not know that its handler never waits.
    if let synchronous = handler as? any SynchronousCommandHandler<Handler.CommandType> {
      return try install(.synchronous { try synchronous.handle($0, publish: $1) }, replacing)
    }
    return try install(.asynchronous { try await handler.handle($0, publish: $1) }, replacing)
  }

  /// Registers the handler of a type of command: see ``use(_:replacing:)-(Handler,_)``.
  ///
  /// - Errors: throws ``EngineError/duplicateHandler(_:)`` if there is a handler and `replacing` is `false`.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - handler: carries out the commands from now on, on the thread that executes them.
  ///   - replacing: if `true`, the handler replaces another one.
  /// - Returns: a token. Cancelling it removes the handler; releasing it does nothing.
  @inlinable
  @discardableResult
  public func use<Handler: SynchronousCommandHandler>(
    _ handler: Handler,
    replacing: Bool = false
  ) throws(EngineError) -> Subscription {
    try install(.synchronous { try handler.handle($0, publish: $1) }, replacing)
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
  ///   - handler: carries out a command, see ``CommandHandler/handle(_:publish:)``.
  /// - Returns: a token. Cancelling it removes the handler; releasing it does nothing.
  @inlinable
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    handler: @escaping @Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output
  ) throws(EngineError) -> Subscription {
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
  ///   - handler: carries out a command, see ``SynchronousCommandHandler/handle(_:publish:)``.
  /// - Returns: a token. Cancelling it removes the handler; releasing it does nothing.
  @inlinable
  @discardableResult
  public func use<CommandType: Command>(
    _ command: CommandType.Type,
    replacing: Bool = false,
    synchronously handler: @escaping @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  ) throws(EngineError) -> Subscription {
    try install(.synchronous(handler), replacing)
  }

  /// Returns `true` if this type of command has a handler, which an ``Action`` always has.
  ///
  /// - Complexity: O(1).
  public func contains<CommandType: Command>(_ command: CommandType.Type) -> Bool {
    core.lane(of: command).handler != nil
  }

  @usableFromInline
  func install<CommandType: Command>(_ handler: AnyHandler<CommandType>, _ replacing: Bool) throws(EngineError)
    -> Subscription
  {
    guard let token = core.lane(of: CommandType.self).install(handler, replacing: replacing) else {
      throw .duplicateHandler(CommandType.self)
    }
    return token
  }
}
