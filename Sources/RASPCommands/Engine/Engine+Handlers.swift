public import Streams

extension Engine {
  /// Registers the handler of a type of command.
  ///
  /// - Parameters:
  ///   - handler: what is to carry out the commands from now on.
  ///   - replacing: whether it may take the place of another one. What that one has begun it finishes.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again, unless
  ///   another one has taken its place. What the handler has begun it finishes; an ``Action`` handles itself again.
  /// - Throws: ``EngineError/duplicateHandler(_:)`` if there is a handler already and it is not to be replaced; that one
  ///   stays.
  @inlinable
  @discardableResult
  public func use<Handler: CommandHandler>(_ handler: Handler, replacing: Bool = false) throws(EngineError)
    -> Subscription
  {
    // A generic caller may not know that its handler never waits.
    if let synchronous = handler as? any SynchronousCommandHandler<Handler.HandledCommand> {
      return try install(.synchronous { try synchronous.handle($0, publish: $1) }, replacing)
    }
    return try install(.asynchronous { try await handler.handle($0, publish: $1) }, replacing)
  }

  /// Registers the handler of a type of command: see ``use(_:replacing:)-(Handler,_)``.
  ///
  /// - Parameters:
  ///   - handler: what is to carry out the commands from now on, on the thread of who executes them.
  ///   - replacing: whether it may take the place of another one.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: ``EngineError/duplicateHandler(_:)`` if there is a handler already and it is not to be replaced.
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
  /// - Parameters:
  ///   - command: what it handles.
  ///   - replacing: whether it may take the place of another handler.
  ///   - handler: carries out a command, see ``CommandHandler/handle(_:publish:)``.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: ``EngineError/duplicateHandler(_:)`` if there is a handler already and it is not to be replaced.
  @inlinable
  @discardableResult
  public func use<Handled: Command>(
    _ command: Handled.Type,
    replacing: Bool = false,
    handler: @escaping @Sendable (Handled, Publisher<Handled>) async throws -> Handled.Output
  ) throws(EngineError) -> Subscription {
    try install(.asynchronous(handler), replacing)
  }

  /// Registers a closure that never waits as the handler of a type of command: it runs on the thread of who executes the
  /// command.
  ///
  ///     try engine.use(Add.self, synchronously: { command, _ in command.left + command.right })
  ///
  /// - Parameters:
  ///   - command: what it handles.
  ///   - replacing: whether it may take the place of another handler.
  ///   - handler: carries out a command, see ``SynchronousCommandHandler/handle(_:publish:)``.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the handler out again.
  /// - Throws: ``EngineError/duplicateHandler(_:)`` if there is a handler already and it is not to be replaced.
  @inlinable
  @discardableResult
  public func use<Handled: Command>(
    _ command: Handled.Type,
    replacing: Bool = false,
    synchronously handler: @escaping @Sendable (Handled, Publisher<Handled>) throws -> Handled.Output
  ) throws(EngineError) -> Subscription {
    try install(.synchronous(handler), replacing)
  }

  /// Whether somebody handles this type of command; always true of an ``Action``.
  public func contains<Handled: Command>(_ command: Handled.Type) -> Bool {
    core.channel(of: command).handling != nil
  }

  @usableFromInline
  func install<Handled: Command>(_ handling: Handling<Handled>, _ replacing: Bool) throws(EngineError) -> Subscription {
    guard let token = core.channel(of: Handled.self).install(handling, replacing: replacing) else {
      throw .duplicateHandler(Handled.self)
    }
    return token
  }
}
