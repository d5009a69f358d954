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
