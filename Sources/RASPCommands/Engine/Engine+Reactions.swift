public import Streams

extension EngineProtocol {
  /// Registers a reaction to a type of command.
  ///
  ///     let token = engine.react(to: BookList.self, with: Reaction(consume: { print($0.count) }))
  ///
  /// - Ordering: the reaction comes after all others. It gets the events that are published from now on; if it is
  ///   registered inside a reaction, those after the event that is being delivered.
  /// - Concurrency: the reaction is called on the thread that delivers the event, one event at a time. Once `cancel()`
  ///   of the token has returned, no call begins; one that is running on another thread may still be running.
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - reaction: the reaction.
  /// - Returns: the token. Cancelling or releasing it disposes the reaction and releases its closures.
  @inlinable
  public func react<CommandType: Command>(
    to command: CommandType.Type,
    with reaction: Reaction<CommandType.Output>
  ) -> Subscription {
    listen(to: command, with: reaction)
  }

  /// Registers a reaction to a type of command, by its closures: see ``react(to:with:)``.
  ///
  ///     let token = engine.react(to: BookList.self, wait: spinner.start, consume: show, rescue: report)
  ///
  /// - Parameters:
  ///   - command: the type of the command.
  ///   - wait: called with each ``CommandEvent/progress``.
  ///   - consume: called with each result.
  ///   - rescue: called with each error.
  /// - Returns: the token. Cancelling or releasing it disposes the reaction.
  @inlinable
  public func react<CommandType: Command>(
    to command: CommandType.Type,
    wait: (@Sendable () -> Void)? = nil,
    consume: (@Sendable (CommandType.Output) -> Void)? = nil,
    rescue: (@Sendable (any Error) -> Void)? = nil
  ) -> Subscription {
    react(to: command, with: Reaction(wait: wait, consume: consume, rescue: rescue))
  }

  /// The events of a type of command as a stream, which can be the source of an aggregator.
  ///
  ///     let library = Aggregator(
  ///       initial: Library(),
  ///       sources: engine.events(of: BookList.self).map(LibraryEvent.books)
  ///     )
  ///
  /// - Ordering: a subscriber stands among the reactions, at the point at which it subscribed.
  /// - Lifetime: a subscriber does not keep the engine alive. It is finished when the engine is invalidated or goes
  ///   away.
  @inlinable
  public func events<CommandType: Command>(of command: CommandType.Type) -> Observable<CommandEvent<CommandType>, Never>
  {
    let registry = handle.registry
    return Observable(attach: { observer in
      registry.route(of: CommandType.self).lane.listen(observer.lifetime, .subscriber(observer))
    })
  }

  /// Publishes an event without a command, such as a message of a server, or in a test.
  ///
  /// The event goes through the event middleware like any other.
  ///
  /// - Ordering: an event that is published while this type of command has a delivery is delivered after it, by the
  ///   thread that delivers.
  /// - Concurrency: may be called from any thread.
  /// - Complexity: O(reactions to this type of command), in addition to the work of the middleware.
  /// - Returns: the outcome of publishing the event. It may be ignored.
  @inlinable
  @discardableResult
  public func publish<CommandType: Command>(_ event: CommandEvent<CommandType>) -> Outcome<Void> {
    let registry = handle.registry
    let (route, pipeline) = registry.look(up: CommandType.self)
    if let pipeline, pipeline.hasEvents {
      return route.lane.intercept(event, through: pipeline, of: registry, nil, nil, isLast: false)
    }
    return route.lane.submit(event, of: nil, own: nil, isLast: false) ? .handled(()) : .stopped
  }

  @inlinable
  func listen<CommandType: Command>(
    to command: CommandType.Type,
    with reaction: Reaction<CommandType.Output>
  ) -> Subscription {
    let lifetime = Lifetime()
    let token = Subscription(lifetime)
    handle.registry.route(of: command).lane.listen(lifetime, .reaction(reaction))
    return token
  }
}
