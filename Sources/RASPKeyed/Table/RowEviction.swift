/// Which rows a ``KeyedAggregator`` gives up by itself. A row that has been given up is made anew by its next event.
///
///     KeyedOptions(evicting: .idle(for: .seconds(600)))
///     KeyedOptions(evicting: .beyond(100_000))
///
/// A row with subscribers of its own stays, unless you ask for it to go, too; then they get `nil`. Subscribers of all
/// rows (`each`, `changes`, rankings, counts) keep no row.
///
/// ### Ordering
///
/// A row is given up between two events, in a round of its own. Of several rows that may go, the one goes first whose
/// last event is the longest ago, and never the one that has just been made: while all others have subscribers, there
/// is one row more. A row that its last subscriber has left may go from then on: if there are too many rows, when the
/// next row is made.
///
/// - Complexity: an event moves its row to the end of a list, in O(1), and a row that is given up is found at the other
///   end, in O(1). Rows with subscribers that have come to this end are passed over once, and once more when an older
///   row has lost its last subscriber.
public struct RowEviction: Sendable, Hashable {
  let idleTime: Duration?
  let limit: Int?
  let includesObserved: Bool

  /// All rows stay until they are removed.
  public static var never: RowEviction { RowEviction(idleTime: nil, limit: nil, includesObserved: false) }

  /// Gives up rows that had no event for a time, at the latest when a quarter of it more has passed; later while events
  /// wait in the line. A time below eight milliseconds counts as eight.
  ///
  /// An event counts when it is folded, so a row is not idle because its events had to wait, nor while they wait.
  ///
  /// - Parameters:
  ///   - time: the time without an event.
  ///   - includingObserved: whether rows go that have subscribers.
  public static func idle(for time: Duration, includingObserved: Bool = false) -> RowEviction {
    RowEviction(idleTime: max(time, .milliseconds(8)), limit: nil, includesObserved: includingObserved)
  }

  /// Gives up the rows whose last event is the longest ago, when there are more than a number of rows.
  ///
  /// - Parameters:
  ///   - count: the number of rows that may stay, at least one. `Int.max` means no limit.
  ///   - includingObserved: whether rows go that have subscribers.
  public static func beyond(_ count: Int, includingObserved: Bool = false) -> RowEviction {
    RowEviction(idleTime: nil, limit: max(1, count), includesObserved: includingObserved)
  }

  /// The time from one look for idle rows to the next.
  var sweepPeriod: Duration? { idleTime.map { $0 / 8 } }
}

/// The reason for which a row was removed.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RowRemoval: String, Sendable, Hashable, Codable {
  /// It was removed by ``KeyedAggregator/remove(_:)``.
  case removed

  /// No event came for it for the time that its ``RowEviction`` allows.
  case idle

  /// There were more rows than its ``RowEviction`` allows, and no other row had been without an event for longer.
  case beyondLimit
}
