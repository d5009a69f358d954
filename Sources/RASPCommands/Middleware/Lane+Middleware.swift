import Streams

extension Lane {
  /// Sends an event through the middleware and into the lane.
  @usableFromInline
  func intercept(
    _ event: CommandEvent<CommandType>,
    through pipeline: Pipeline,
    of registry: Registry,
    _ origin: EventOrigin?,
    _ own: OwnReaction<CommandType>?,
    isLast: Bool
  ) -> Outcome<Void> {
    // An event that was delivered counts as handled, whatever the middleware makes of it.
    let delivered = Delivered()
    // A middleware may pass the event on in a delivery of something else.
    let cause = origin?.identity ?? .current
    let passage = Pipeline.pass(event, through: pipeline.events[...], of: EngineHandle(registry)) { event in
      guard let event = event as? CommandEvent<CommandType> else {
        return Passage(cause.deliver { (event as? any ForeignEvent)?.deliver(in: registry) ?? .stopped })
      }
      let isAccepted = cause.deliver { self.submit(event, of: origin, own: own, isLast: isLast) }
      let outcome: Outcome<Void> = isAccepted ? .handled : .stopped
      delivered.outcome.exchange(with: outcome)
      return Passage(outcome)
    }
    if case .failed(let error) = passage.outcome {
      // The error goes past all middleware: a middleware that fails on errors would fail for ever.
      _ = submit(.error(error), of: origin, own: own, isLast: isLast)
      registry.errors.report(error, causedBy: origin?.identity)
      return .failed(error)
    }
    return delivered.outcome.withLock { $0 } ?? .stopped
  }
}

/// An event of another command than the one that a middleware was given.
protocol ForeignEvent {
  /// Delivers the event to the reactions to its command, behind the middleware.
  func deliver(in registry: Registry) -> Outcome<Void>
}

/// The outcome of delivering an event at the end of its middleware; `nil` if it did not come that far.
private final class Delivered: Sendable {
  let outcome = Lock<Outcome<Void>?>(nil)
}
