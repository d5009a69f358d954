public import Streams

extension Engine {
  /// Registers a reaction that belongs to an object: it is disposed with ``disposeAll(for:)``, and when the object goes
  /// away.
  ///
  ///     engine.react(to: BookList.self, owner: self, consume: { screen, books in screen.show(books) })
  ///
  /// The object is not kept alive. The closures get it as their first parameter, so that they need not capture it: one
  /// that did would keep it alive. While a closure runs, the object lives.
  ///
  /// What the closures captured is let go of when the reaction is disposed. If the object just goes away they are never
  /// called again, but linger until the next event, or until more reactions to this type of command are registered. An
  /// object that keeps the token, or a `SubscriptionBag`, instead lets go at once.
  ///
  /// - Parameters:
  ///   - command: whose events to react to.
  ///   - owner: whom the reaction belongs to.
  ///   - wait: called when the command is under way.
  ///   - consume: called with each result.
  ///   - rescue: called with each error.
  /// - Returns: the token, which may be ignored: releasing it does nothing, cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<Subject: Command, Owner: AnyObject & Sendable>(
    to command: Subject.Type,
    owner: Owner,
    wait: (@Sendable (Owner) -> Void)? = nil,
    consume: (@Sendable (Owner, Subject.Output) -> Void)? = nil,
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
  ///   - command: whose events to react to.
  ///   - owner: whom the reaction belongs to. Its closures must not capture it, or capture it weakly.
  ///   - reaction: a ``Reaction``, or something that builds one.
  /// - Returns: the token, which may be ignored: releasing it does nothing, cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<Subject: Command, Owner: AnyObject & Sendable>(
    to command: Subject.Type,
    owner: Owner,
    with reaction: some ReactionBuilder<Subject.Output>
  ) -> Subscription {
    let reaction = reaction.buildReaction()
    return listen(to: command, owner: owner) { _, event in reaction(event) }
  }

  /// Registers a reaction to the results of a type of command that belongs to an object: see
  /// ``react(to:owner:wait:consume:rescue:)``.
  ///
  ///     engine.react(to: BookList.self, owner: self) { screen, books in screen.show(books) }
  ///
  /// - Returns: the token, which may be ignored: releasing it does nothing, cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<Subject: Command, Owner: AnyObject & Sendable>(
    to command: Subject.Type,
    owner: Owner,
    _ consume: @escaping @Sendable (Owner, Subject.Output) -> Void
  ) -> Subscription {
    react(to: command, owner: owner, consume: consume)
  }

  /// Disposes all reactions that belong to this very object, to commands and facts alike, and no others. May be called
  /// from the object's `deinit`.
  public func disposeAll(for owner: AnyObject) {
    core.owners.disposeAll(of: ObjectIdentifier(owner))
  }

  @usableFromInline
  func listen<Subject: Command, Owner: AnyObject & Sendable>(
    to command: Subject.Type,
    owner: Owner,
    react: @escaping @Sendable (Owner, CommandEvent<Subject>) -> Void
  ) -> Subscription {
    let lifetime = Lifetime()
    let token = Subscription(lifetime)
    token.detach()
    // Noted down first: it may be disposed as soon as it is registered.
    core.owners.insert(lifetime, of: ObjectIdentifier(owner))
    core.channel(of: command).listen(
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
