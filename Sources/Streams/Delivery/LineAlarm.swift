/// What a line of waiting values reports by itself: it grows, or refuses.
///
/// It is reported seldom: at the first time, and then whenever the number has doubled.
@usableFromInline
package enum LineAlarm: Sendable {
  /// So many items wait.
  case grown(Int)

  /// The bound has refused so many values so far.
  case refused(Int)

  /// The number of items at which the growth of a line is reported first.
  static var firstCount: Int { 65_536 }

  /// Whether so many refused values are reported: one, and each time the number has doubled.
  static func isReported(_ count: Int) -> Bool { count & (count - 1) == 0 }
}
