import Aggregate
import Streams

/// An event of a folder, as it was read.
package struct StoredEvent<Event: Sendable>: Sendable {
  /// Several events have one number if an event of an older version has become several.
  package let number: Int
  package let event: Event
  package let cause: Cause
  /// Since 1970.
  package let time: Duration
}

extension Record {
  /// What a record of a segment has beside its payload, if it is an event; `nil` for the description of the segment.
  func journalEvent() throws(FileFailure) -> (number: Int, cause: Cause, time: Duration)? {
    guard let event else {
      if kind.role == .description { return nil }
      throw FileFailure(at: offset, .malformed("a state in a segment"))
    }
    guard let number = Int(exactly: event.number), let cause = event.cause.cause else {
      throw FileFailure(at: offset, .malformed("a number that is too large"))
    }
    return (number, cause, .microseconds(event.time))
  }
}
