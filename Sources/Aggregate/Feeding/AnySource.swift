import Streams

/// A source of an aggregator without the type of its failure, so that the code on the way of an event does not depend
/// on that type.
@usableFromInline
package struct AnySource<Event: Sendable>: Sendable {
  @usableFromInline package let id = SourceID()
  /// The time in which it is a source: the subscription to it ends at the latest with this.
  @usableFromInline let membership = Lifetime()
  @usableFromInline
  let attach:
    @Sendable (
      _ lifetime: Lifetime,
      _ onEvent: @escaping @Sendable (Event) -> Void,
      _ onEnd: @escaping @Sendable (StreamEnd<any Error>) -> Void,
      _ onAcknowledge: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> Void

  @inlinable
  package init<Failure: Error>(_ source: Observable<Event, Failure>) {
    attach = { lifetime, onEvent, onEnd, onAcknowledge in
      source.attach(
        Observer(
          lifetime: lifetime,
          onValue: onEvent,
          onEnd: { end in
            switch end {
            case .finished: onEnd(.finished)
            case .failed(let error): onEnd(.failed(error))
            }
          },
          onAcknowledge: onAcknowledge
        )
      )
    }
  }
}
