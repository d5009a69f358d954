public import Streams

extension EngineProtocol {
  /// Registers a reaction that belongs to an object. It is disposed by ``disposeAll(for:)``, and when the object goes
  /// away.
  ///
  ///     engine.react(to: BookList.self, owner: self, consume: { screen, books in screen.show(books) })
  ///
  /// The engine does not keep the object alive. The closures get it as their first parameter and should not capture it,
  /// which would keep it alive. The object lives while a closure runs.
  ///
  /// The closures are released when the reaction is disposed. If the object goes away they are never called again, but
  /// they are released with the next event, or when more reactions to this type of command are registered. An object
  /// that cancels the registration, or calls ``disposeAll(for:)``, releases them at once.
  ///
  /// - Ordering: as ``react(to:with:)``.
  /// - Complexity: as ``react(to:with:)``.
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - owner: the object that the reaction belongs to.
  ///   - wait: called with each ``CommandEvent/progress``.
  ///   - consume: called with each result.
  ///   - rescue: called with each error.
  /// - Returns: the registration, which may be ignored. Cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    wait: (@Sendable (Owner) -> Void)? = nil,
    consume: (@Sendable (Owner, CommandType.Output) -> Void)? = nil,
    rescue: (@Sendable (Owner, any Error) -> Void)? = nil
  ) -> Registration {
    listen(to: command, owner: owner, getsErrors: rescue != nil) { owner, event in
      switch event {
      case .progress: wait?(owner)
      case .data(let output): consume?(owner, output)
      case .error(let error): rescue?(owner, error)
      }
    }
  }

  /// Registers a reaction that is a value and belongs to an object: see ``react(to:owner:wait:consume:rescue:)``.
  ///
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - owner: the object that the reaction belongs to. The reaction must not hold it, which would keep it alive.
  ///   - reaction: the reaction.
  /// - Returns: the registration, which may be ignored. Cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    with reaction: Reaction<CommandType.Output>
  ) -> Registration {
    listen(to: command, owner: owner, getsErrors: reaction.rescue != nil) { _, event in reaction(event) }
  }

  @usableFromInline
  func listen<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    getsErrors: Bool,
    react: @escaping @Sendable (Owner, CommandEvent<CommandType>) -> Void
  ) -> Registration {
    let lifetime = Lifetime()
    let registry = handle.registry
    // The owner comes first, because the reaction may be disposed as soon as it is registered.
    registry.owners.insert(lifetime, of: ObjectIdentifier(owner))
    registry.route(of: command).lane.listen(
      lifetime,
      .owned(
        getsErrors: getsErrors,
        notify: { [weak owner] event in
          guard let owner else { return false }
          react(owner, event)
          return true
        },
        isAlive: { [weak owner] in owner != nil },
        finish: { lifetime.terminate() }
      )
    )
    return Registration(lifetime)
  }
}
