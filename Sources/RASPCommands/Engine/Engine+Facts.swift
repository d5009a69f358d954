public import Streams

extension EngineProtocol {
  /// Posts a fact: every reaction to this type of fact gets it.
  ///
  /// The fact goes through the event middleware, as an event of ``FactCommand``. A fact that has no reaction is
  /// reported to the error handler, as a warning.
  ///
  /// - Ordering: as ``publish(_:)``.
  /// - Complexity: O(reactions to this type of fact), in addition to the work of the middleware.
  /// - Returns: the outcome of publishing the fact. It may be ignored.
  @inlinable
  @discardableResult
  public func post<Posted: Fact>(_ fact: Posted) -> Outcome<Void> {
    publish(CommandEvent<FactCommand<Posted>>.data(fact))
  }

  /// Registers a reaction to facts of a type.
  ///
  ///     let token = engine.react(toFact: LoginFact.self) { fact in greet(fact.username) }
  ///
  /// - Complexity: as ``react(to:with:)``.
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
  ///   - type: the type of the facts.
  ///   - owner: the object that the reaction belongs to.
  ///   - react: called with each fact.
  /// - Returns: the registration, which may be ignored. Cancelling it disposes the reaction.
  @inlinable
  @discardableResult
  public func react<Posted: Fact, Owner: AnyObject & Sendable>(
    toFact type: Posted.Type,
    owner: Owner,
    _ react: @escaping @Sendable (Owner, Posted) -> Void
  ) -> Registration {
    self.react(to: FactCommand<Posted>.self, owner: owner, consume: react)
  }

  /// The facts of a type as a stream.
  ///
  ///     let login = await engine.facts(of: LoginFact.self).first()   // waits for the next one
  ///
  /// A subscriber is finished when the engine is invalidated or goes away.
  @inlinable
  public func facts<Posted: Fact>(of type: Posted.Type) -> Observable<Posted, Never> {
    events(of: FactCommand<Posted>.self).compactMap { if case .data(let fact) = $0 { fact } else { nil } }
  }
}
