public import Streams
import Synchronization

extension EngineProtocol {
  /// Registers a reaction that runs on the main actor and belongs to an object, such as a screen or its model.
  ///
  ///     engine.react(
  ///       to: BookList.self, on: .shared, owner: self,
  ///       wait: { screen in screen.spinner.start() },
  ///       consume: { screen, books in screen.books = books },
  ///       rescue: { screen, error in screen.show(error) }
  ///     )
  ///
  /// The closures may touch what belongs to the main actor. They get the owner as their first parameter and should not
  /// capture it, which would keep it alive. The reaction is disposed by ``disposeAll(for:)``, and when the owner goes
  /// away.
  ///
  /// - Ordering: events come as all other reactions get them. An event that is published on the main actor comes at
  ///   once, unless an earlier one waits. The engine does not wait for the main actor, and neither does who awaits an
  ///   execution: events of other threads that the actor has not handled yet are kept. If they come to be many,
  ///   ``EngineError/lineGrown(_:)`` is reported once.
  /// - Concurrency: may be called from any thread. When the reaction is disposed on the main actor, the events that
  ///   wait are dropped.
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - actor: the main actor: write `.shared`.
  ///   - owner: the object that the reaction belongs to.
  ///   - wait: called with each ``CommandEvent/progress``.
  ///   - consume: called with each result.
  ///   - rescue: called with each error.
  /// - Returns: the registration, which may be ignored. Cancelling it disposes the reaction.
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    on actor: MainActor,
    owner: Owner,
    wait: (@MainActor @Sendable (Owner) -> Void)? = nil,
    consume: (@MainActor @Sendable (Owner, CommandType.Output) -> Void)? = nil,
    rescue: (@MainActor @Sendable (Owner, any Error) -> Void)? = nil
  ) -> Registration {
    listen(to: command, on: actor, owner: owner, getsErrors: rescue != nil) { owner, event in
      switch event {
      case .progress: wait?(owner)
      case .data(let output): consume?(owner, output)
      case .error(let error): rescue?(owner, error)
      }
    }
  }

  /// Registers a reaction that is a value, runs on the main actor and belongs to an object: see
  /// ``react(to:on:owner:wait:consume:rescue:)``.
  ///
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - actor: the main actor: write `.shared`.
  ///   - owner: the object that the reaction belongs to. The reaction must not hold it, which would keep it alive.
  ///   - reaction: the reaction. Its closures run on the main actor, which the compiler does not know of them.
  /// - Returns: the registration, which may be ignored. Cancelling it disposes the reaction.
  @discardableResult
  public func react<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    on actor: MainActor,
    owner: Owner,
    with reaction: Reaction<CommandType.Output>
  ) -> Registration {
    let getsErrors = reaction.rescue != nil
    return listen(to: command, on: actor, owner: owner, getsErrors: getsErrors) { _, event in reaction(event) }
  }

  /// Registers a reaction to facts of a type that runs on the main actor and belongs to an object: see
  /// ``react(to:on:owner:wait:consume:rescue:)``.
  ///
  ///     engine.react(toFact: LoginFact.self, on: .shared, owner: self) { screen, fact in
  ///       screen.title = fact.username
  ///     }
  ///
  /// - Returns: the registration, which may be ignored. Cancelling it disposes the reaction.
  @discardableResult
  public func react<Posted: Fact, Owner: AnyObject & Sendable>(
    toFact type: Posted.Type,
    on actor: MainActor,
    owner: Owner,
    _ react: @escaping @MainActor @Sendable (Owner, Posted) -> Void
  ) -> Registration {
    self.react(to: FactCommand<Posted>.self, on: actor, owner: owner, consume: react)
  }

  private func listen<CommandType: Command, Owner: AnyObject & Sendable>(
    to command: CommandType.Type,
    on actor: MainActor,
    owner: Owner,
    getsErrors: Bool,
    react: @escaping @MainActor @Sendable (Owner, CommandEvent<CommandType>) -> Void
  ) -> Registration {
    let lifetime = Lifetime()
    let registry = handle.registry
    let (waiting, errors) = (WaitingEvents(), registry.errors)
    // The owner comes first, because the reaction may be disposed as soon as it is registered.
    registry.owners.insert(lifetime, of: ObjectIdentifier(owner))
    let events = Observable<CommandEvent<CommandType>, Never>(attach: { [weak owner] observer in
      observer.lifetime.onTermination { lifetime.terminate() }
      registry.route(of: command).lane.listen(
        observer.lifetime,
        .owned(
          getsErrors: getsErrors,
          notify: { [weak owner] event in
            guard let owner else { return false }
            if MainQueue.isCurrent, waiting.isEmpty {
              MainActor.assumeIsolated { react(owner, event) }
            } else {
              if waiting.begin() { errors.report(EngineError.lineGrown(command)) }
              observer.send(event)
            }
            return true
          },
          isAlive: { [weak owner] in owner != nil },
          finish: { observer.end(.finished) }
        )
      )
    })
    let subscription = events.receive(on: actor).subscribe { [weak owner] event in
      // Behind the reaction, so that an event that it publishes does not come inside of it.
      defer { waiting.end() }
      guard let owner, lifetime.isActive else { return }
      react(owner, event)
    }
    subscription.detach()
    lifetime.onTermination { subscription.cancel() }
    return Registration(lifetime)
  }
}

/// The number of events of one reaction that wait for the main actor. An event may come at once only if there is none.
///
/// Safe to share: an atomic number. The lane, which delivers one event at a time, raises it before an event waits, so
/// an event on the main actor sees each one that was published before it.
private final class WaitingEvents: Sendable {
  private let count = Atomic<Int>(0)
  private let alarm = GrowthAlarm()

  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// - Returns: whether so many wait that it is to be reported.
  func begin() -> Bool { alarm.rings(at: count.add(1, ordering: .relaxed).newValue) }

  func end() { count.subtract(1, ordering: .releasing) }
}
