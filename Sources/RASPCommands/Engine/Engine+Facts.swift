public import Streams

extension Engine {
  /// Tells everybody who listens for facts of this type.
  ///
  /// It goes through the event middleware, as an event of ``FactCommand``. One that nobody listens for is reported to the
  /// error handler, as a warning.
  ///
  /// - Returns: what became of it.
  @inlinable
  @discardableResult
  public func post<Posted: Fact>(_ fact: Posted) -> Publication {
    publish(CommandEvent<FactCommand<Posted>>.data(fact))
  }

  /// Registers a reaction to facts of a type.
  ///
  ///     let token = engine.react(toFact: LoginFact.self) { fact in greet(fact.username) }
  ///
  /// - Returns: the token. Cancelling or releasing it disposes the reaction.
  @inlinable
  public func react<Posted: Fact>(
    toFact type: Posted.Type,
    _ react: @escaping @Sendable (Posted) -> Void
  ) -> Subscription {
    self.react(to: FactCommand<Posted>.self, consume: react)
  }

  /// Registers a reaction to facts of a type that belongs to an object: see ``react(to:owner:wait:consume:rescue:)``.
  ///
  /// - Parameters:
  ///   - type: the facts to react to.
  ///   - owner: whom the reaction belongs to.
  ///   - react: called with each fact.
  /// - Returns: the token, which may be ignored: releasing it does nothing, cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<Posted: Fact, Owner: AnyObject & Sendable>(
    toFact type: Posted.Type,
    owner: Owner,
    _ react: @escaping @Sendable (Owner, Posted) -> Void
  ) -> Subscription {
    self.react(to: FactCommand<Posted>.self, owner: owner, consume: react)
  }

  /// The facts of a type as a stream. A subscriber is finished when the engine is invalidated or goes away.
  @inlinable
  public func facts<Posted: Fact>(of type: Posted.Type) -> Observable<Posted, Never> {
    events(of: FactCommand<Posted>.self).compactMap { $0.output }
  }

  /// Waits for the next fact of a type: the first one that is posted after this was called.
  ///
  ///     if let login = await engine.next(LoginFact.self) { greet(login.username) }
  ///
  /// Who wants them all takes the values of ``facts(of:)``, which misses none in between.
  ///
  /// - Returns: the fact; `nil` when the task is cancelled, or the engine is invalidated.
  public func next<Posted: Fact>(
    _ type: Posted.Type,
    isolation actor: isolated (any Actor)? = #isolation
  ) async -> Posted? {
    var facts = facts(of: type).values(buffering: .oldest(1)).makeAsyncIterator()
    return await facts.next(isolation: actor)
  }
}
