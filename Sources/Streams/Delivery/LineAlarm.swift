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

  /// - Returns: `nil` if the number of refused values has not doubled.
  static func refusing(from before: Int, to now: Int) -> LineAlarm? {
    before.leadingZeroBitCount == now.leadingZeroBitCount ? nil : .refused(now)
  }
}
