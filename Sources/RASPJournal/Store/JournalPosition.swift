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

  /// Behind the newest event whose time is not later.
  ///
  /// The time of an event is what the clock of the machine said when it was folded, to about a millisecond, and events
  /// are in the order of their numbers. So those of a clock that was ahead do not hide the right times behind them, and
  /// those of a clock that said 1970 count as old ones.
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
