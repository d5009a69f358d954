/// The state of one domain, and how each event changes it.
///
///     struct GeoState: AggregateState {
///       var heading: Heading?
///       var location: Location?
///
///       mutating func apply(_ event: GeoEvent) {
///         switch event {
///         case .heading(let heading): self.heading = heading
///         case .location(let location): self.location = location
///         }
///       }
///     }
///
/// The state changes in no other way. It is a value: hand it an event in a test and look at it, nothing else is needed.
public protocol AggregateState: Sendable {
  /// What can happen in this domain: usually an enum, or `any AggregateEvent` if events come from many places.
  associatedtype Event: Sendable

  /// Why the state may refuse an event; `Never` unless ``apply(_:)`` throws.
  associatedtype Rejection: Error = Never

  /// Folds an event into the state, in place.
  ///
  /// Only changes `self`: it neither waits nor looks at the clock, so that the same events always make the same state.
  /// An ``Aggregator`` calls it for one event at a time. An event that is sent from in here is folded later; reading the
  /// aggregator's snapshot from in here is a mistake, see ``Aggregator/snapshot``. Other threads that read the snapshot
  /// wait for this, so neither it nor the `deinit` of anything it lets go of may wait for them.
  ///
  /// - Throws: to refuse the event. The state is then as it was before, the refusal is reported on
  ///   ``Aggregator/rejections``, and the next event is folded as ever. A state that can throw is copied for each event,
  ///   so a change to one of its collections copies that collection; one that cannot throw is folded in place.
  mutating func apply(_ event: Event) throws(Rejection)
}

/// An event that a state refused, and why.
public struct RejectedEvent<State: AggregateState>: Sendable {
  /// The event that was refused.
  public let event: State.Event

  /// The error that ``AggregateState/apply(_:)`` threw.
  public let reason: State.Rejection

  @usableFromInline
  init(event: State.Event, reason: State.Rejection) {
    self.event = event
    self.reason = reason
  }
}
