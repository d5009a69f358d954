#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A place in the history of a journal.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum JournalPosition: Hashable, Sendable {
  /// Behind the event with this number. The number 0 is the place before the first event.
  case event(Int)

  /// Behind the last event that was folded at this time or before. The times of the events of a journal never go
  /// back, and are precise to about a millisecond.
  case date(Date)
}

extension JournalPosition {
  /// The number of the last event before the place; `nil` if that depends on times.
  var event: Int? {
    if case .event(let event) = self { event } else { nil }
  }

  /// The latest time of an event before the place, microseconds since 1970.
  var time: Duration {
    guard case .date(let date) = self else { return .microseconds(Int64.max) }
    return .microseconds(Int64(max(-9e18, min(9e18, (date.timeIntervalSince1970 * 1_000_000).rounded(.down)))))
  }
}
