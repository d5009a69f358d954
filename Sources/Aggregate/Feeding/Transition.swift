/// One change of one field: the event that made it, the source that sent the event, and the values before and after.
public struct Transition<Event: Sendable, Field: Sendable>: Sendable {
  /// The event that was folded.
  public let event: Event

  /// The source that sent the event; `nil` for an event that was sent by hand.
  public let source: SourceID?

  /// The value before the event.
  public let old: Field

  /// The value after the event.
  public let new: Field

  /// Makes a transition, to compare one with in a test.
  public init(event: Event, source: SourceID?, old: Field, new: Field) {
    self.event = event
    self.source = source
    self.old = old
    self.new = new
  }
}

extension Transition: Equatable where Event: Equatable, Field: Equatable {}

/// One event, and the state that it has led to.
@usableFromInline
struct Step<State: AggregateState>: Sendable {
  /// `nil` for the state that a newcomer starts from.
  let event: State.Event?
  let source: SourceID?
  let state: State

  init(event: State.Event?, source: SourceID?, state: State) {
    self.event = event
    self.source = source
    self.state = state
  }
}
