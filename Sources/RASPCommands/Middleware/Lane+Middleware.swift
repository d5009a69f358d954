import Streams

extension Lane {
  /// Sends an event through the middleware and into the lane. It is compiled where the type of the command is known;
  /// what does not depend on that is in `Pipeline`.
  @inlinable
  @inline(never)
  func intercept(
    _ event: CommandEvent<CommandType>,
    through pipeline: Pipeline,
    of registry: Registry,
    _ run: Run?,
    _ own: OwnReaction<CommandType>?,
    isLast: Bool
  ) -> Outcome<Void> {
    pipeline.pass(event, of: registry, run, isRescued: own?.reaction.rescue != nil || rescuerCount > 0) { event in
      switch event {
      case .event(let event):
        same(event, as: CommandEvent<CommandType>.self).map { self.submit($0, of: run, own: own, isLast: isLast) }
      case .failure(let error):
        self.submit(.error(error), of: run, own: own, isLast: isLast)
      }
    }
  }
}

/// What comes out of the middleware of events.
@usableFromInline
enum Intercepted: Sendable {
  case event(any AnyCommandEvent)
  /// The middleware has failed. The error goes past all of it: a middleware that fails on errors would fail for ever.
  case failure(any Error)
}

extension Pipeline {
  /// Sends an event through the middleware.
  ///
  /// - Parameters:
  ///   - run: the run that has published the event.
  ///   - isRescued: whether a reaction gets errors.
  ///   - submit: delivers what comes out. It returns whether that is accepted; `nil` for an event of another command.
  @usableFromInline
  func pass(
    _ event: any AnyCommandEvent,
    of registry: Registry,
    _ run: Run?,
    isRescued: Bool,
    to submit: @escaping @Sendable (Intercepted) -> Bool?
  ) -> Outcome<Void> {
    // An event that was delivered counts as handled, whatever the middleware makes of it.
    let delivered = Delivered()
    // A middleware may pass the event on in a delivery of something else.
    let cause = run?.identity ?? .current
    let result = Self.pass(event, through: events, from: 0, of: EngineHandle(registry)) { event in
      guard let isAccepted = cause.deliver({ submit(.event(event)) }) else {
        return MiddlewareResult(cause.deliver { event.deliver(in: registry) })
      }
      let outcome: Outcome<Void> = isAccepted ? .handled : .stopped
      delivered.outcome.exchange(with: outcome)
      return MiddlewareResult(outcome)
    }
    if case .failed(let error) = result.outcome {
      _ = submit(.failure(error))
      registry.errors.report(error, of: event.commandType, causedBy: run?.identity, isRescued: isRescued)
      return .failed(error)
    }
    return delivered.outcome.withLock { $0 } ?? .stopped
  }
}

extension AnyCommandEvent {
  /// Delivers an event of another command than the one that a middleware was given to the reactions to its own, behind
  /// the middleware.
  fileprivate func deliver(in registry: Registry) -> Outcome<Void> {
    func open<CommandType: Command>(_ command: CommandType.Type) -> Outcome<Void> {
      guard let event = self as? CommandEvent<CommandType> else { return .stopped }
      let isAccepted = registry.route(of: command).lane.submit(event, of: nil, own: nil, isLast: false)
      return isAccepted ? .handled : .stopped
    }
    return open(commandType)
  }
}

/// The outcome of delivering an event at the end of its middleware; `nil` if it did not come that far.
private final class Delivered: Sendable {
  let outcome = Lock<Outcome<Void>?>(nil)
}
