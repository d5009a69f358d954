import Streams

/// A source whatever its failure, so that nothing on the way of an event depends on how its source may fail.
@usableFromInline
struct Feed<Event: Sendable>: Sendable {
  @usableFromInline
  let attach:
    @Sendable (
      _ lifetime: Lifetime,
      _ onEvent: @escaping @Sendable (Event) -> Void,
      _ onSignal: @escaping @Sendable (Signal<any Error>) -> Void
    ) -> Void

  @inlinable
  init<Failure: Error>(_ source: Observable<Event, Failure>) {
    attach = { lifetime, onEvent, onSignal in
      source.attach(
        Observer(lifetime: lifetime, onValue: onEvent) { signal in
          switch signal {
          case .end(.finished): onSignal(.end(.finished))
          case .end(.failed(let error)): onSignal(.end(.failed(error)))
          case .barrier(let resume): onSignal(.barrier(resume))
          }
        }
      )
    }
  }
}
