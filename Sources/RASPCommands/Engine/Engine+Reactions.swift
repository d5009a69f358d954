public import Streams

extension Engine {
  /// Registers a reaction to a type of command.
  ///
  ///     let token = engine.react(to: BookList.self, with: Reaction(consume: { print($0.count) }))
  ///
  /// It hears of what is published from then on. From inside a reaction, that is after the event of the moment.
  ///
  /// - Parameters:
  ///   - command: whose events to react to.
  ///   - reaction: a ``Reaction``, or something that builds one.
  /// - Returns: the token. Cancelling or releasing it disposes the reaction and lets go of what it captured; once
  ///   `cancel()` has returned the reaction is not called any more, but for a call that is running.
  @inlinable
  public func react<Subject: Command>(
    to command: Subject.Type,
    with reaction: some ReactionBuilder<Subject.Output>
  ) -> Subscription {
    let reaction = reaction.buildReaction()
    return listen(to: command) { event in
      reaction(event)
      return true
    }
  }

  /// Registers a reaction to a type of command, by its closures: see ``react(to:with:)``.
  ///
  ///     let token = engine.react(to: BookList.self, wait: spinner.start, consume: show, rescue: report)
  ///
  /// - Parameters:
  ///   - command: whose events to react to.
  ///   - wait: called when the command is under way.
  ///   - consume: called with each result.
  ///   - rescue: called with each error.
  /// - Returns: the token. Cancelling or releasing it disposes the reaction.
  @inlinable
  public func react<Subject: Command>(
    to command: Subject.Type,
    wait: (@Sendable () -> Void)? = nil,
    consume: (@Sendable (Subject.Output) -> Void)? = nil,
    rescue: (@Sendable (any Error) -> Void)? = nil
  ) -> Subscription {
    react(to: command, with: Reaction(wait: wait, consume: consume, rescue: rescue))
  }

  /// Registers a reaction to the results of a type of command: see ``react(to:with:)``.
  ///
  ///     let token = engine.react(to: BookList.self) { books in show(books) }
  ///
  /// - Returns: the token. Cancelling or releasing it disposes the reaction.
  @inlinable
  public func react<Subject: Command>(
    to command: Subject.Type,
    _ consume: @escaping @Sendable (Subject.Output) -> Void
  ) -> Subscription {
    react(to: command, with: Reaction(consume: consume))
  }

  /// Disposes a reaction: what `cancel()` of the token does. Disposing twice is harmless.
  public func dispose(_ token: Subscription) {
    token.cancel()
  }

  /// The events of a type of command as a stream: how the outcome of commands becomes the source of an aggregator.
  ///
  ///     let library = Aggregator(
  ///       initial: Library(),
  ///       sources: engine.events(of: BookList.self).map(LibraryEvent.books)
  ///     )
  ///
  /// A subscriber takes its turn among the reactions, by when it subscribed. It is finished when the engine is invalidated
  /// or goes away, and does not keep it alive.
  @inlinable
  public func events<Subject: Command>(of command: Subject.Type) -> Observable<CommandEvent<Subject>, Never> {
    let core = core
    return Observable(attach: { observer in
      core.channel(of: Subject.self).listen(observer.lifetime) { event in
        observer.send(event)
        return true
      } finish: {
        observer.end(.finished)
      }
    })
  }

  /// Publishes an event without a command: what a server pushed, what a test wants to see handled.
  ///
  /// It goes through the event middleware like any other.
  ///
  /// - Returns: what became of it.
  @inlinable
  @discardableResult
  public func publish<Subject: Command>(_ event: CommandEvent<Subject>) -> Publication {
    let (channel, pipeline) = core.lookUp(Subject.self)
    return core.publish(event, to: channel, through: pipeline, of: nil)
  }

  /// - Parameter notify: hands an event over; `false` if there is nobody left to hear it.
  @usableFromInline
  func listen<Subject: Command>(
    to command: Subject.Type,
    notify: @escaping @Sendable (CommandEvent<Subject>) -> Bool
  ) -> Subscription {
    let lifetime = Lifetime()
    let token = Subscription(lifetime)
    core.channel(of: command).listen(lifetime, notify: notify) { lifetime.terminate() }
    return token
  }
}
