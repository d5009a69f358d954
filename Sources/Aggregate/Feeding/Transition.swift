public import Streams

/// One change of one field: the event that made it, the source that sent the event, and the values before and after.
public struct Transition<Event: Sendable, Field: Sendable>: Sendable {
  /// The event that was folded.
  public let event: Event

  /// The source that sent the event; `nil` for an event that was sent by hand.
  public let source: SourceID?

  /// What brought the event about. It is known if something is recorded.
  public let cause: Cause

  /// The value that was told last; the one at the time of subscribing, before anything was told.
  public let old: Field

  /// The value after the event.
  public let new: Field

  /// Makes a transition, to compare one with in a test.
  @inlinable
  public init(event: Event, source: SourceID?, cause: Cause = .unknown, old: Field, new: Field) {
    self.event = event
    self.source = source
    self.cause = cause
    self.old = old
    self.new = new
  }
}

extension Transition: Equatable where Event: Equatable, Field: Equatable {}
