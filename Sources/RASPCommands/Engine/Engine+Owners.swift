public import Streams

extension Engine {
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
  /// that keeps the token, or a `SubscriptionBag`, releases them at once.
  ///
  /// - Ordering: as ``react(to:with:)``.
  /// - Complexity: as ``react(to:with:)``.
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - owner: the object that the reaction belongs to.
  ///   - wait: called with each ``CommandEvent/progress``.
  ///   - consume: called with each result.
  ///   - rescue: called with each error.
  /// - Returns: the token. Cancelling it disposes the reaction; releasing it does nothing.
  @inlinable
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    wait: (@Sendable (Owner) -> Void)? = nil,
    consume: (@Sendable (Owner, CommandType.Output) -> Void)? = nil,
    rescue: (@Sendable (Owner, any Error) -> Void)? = nil
  ) -> Subscription {
    listen(to: command, owner: owner) { owner, event in
      switch event {
      case .progress: wait?(owner)
      case .data(let output): consume?(owner, output)
      case .error(let error): rescue?(owner, error)
      }
    }
  }

  /// Registers a reaction that belongs to an object: see ``react(to:owner:wait:consume:rescue:)``.
  ///
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - owner: the object that the reaction belongs to. The closures must not capture it, or capture it weakly.
  ///   - reaction: a ``Reaction``, or a builder of one.
  /// - Returns: the token. Cancelling it disposes the reaction; releasing it does nothing.
  @inlinable
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    with reaction: some ReactionBuilder<CommandType.Output>
  ) -> Subscription {
    let reaction = reaction.buildReaction()
    return listen(to: command, owner: owner) { _, event in reaction(event) }
  }

  /// Registers a reaction to the results of a type of command that belongs to an object: see
  /// ``react(to:owner:wait:consume:rescue:)``.
  ///
  ///     engine.react(to: BookList.self, owner: self) { screen, books in screen.show(books) }
  ///
  /// - Returns: the token. Cancelling it disposes the reaction; releasing it does nothing.
  @inlinable
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    _ consume: @escaping @Sendable (Owner, CommandType.Output) -> Void
  ) -> Subscription {
    react(to: command, owner: owner, consume: consume)
  }

  /// Disposes all reactions that belong to this very object, to commands and facts alike, and no others.
  ///
  /// - Ordering: in the order of their registration.
  /// - Concurrency: may be called from any thread, and from the object's `deinit`.
  public func disposeAll(for owner: AnyObject) {
    core.owners.disposeAll(of: ObjectIdentifier(owner))
  }

  @usableFromInline
  func listen<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    owner: Owner,
    react: @escaping @Sendable (Owner, CommandEvent<CommandType>) -> Void
  ) -> Subscription {
    let lifetime = Lifetime()
    let token = Subscription(lifetime)
    token.detach()
    // The owner comes first, because the reaction may be disposed as soon as it is registered.
    core.owners.insert(lifetime, of: ObjectIdentifier(owner))
    core.lane(of: command).listen(
      lifetime,
      notify: { [weak owner] event in
        guard let owner else { return false }
        react(owner, event)
        return true
      },
      isAlive: { [weak owner] in owner != nil },
      finish: { lifetime.terminate() }
    )
    return token
  }
}
