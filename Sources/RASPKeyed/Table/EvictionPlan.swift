/// The rows that a shard is going to give up, by its ``RowEviction``: the list of their ages, and what the rule says.
///
/// A row with subscribers is out of the list, unless the rule includes those. It belongs to the owner of the shard's
/// queue.
@usableFromInline
struct EvictionPlan: ~Copyable {
  let rule: RowEviction
  /// Is `false` if no row is ever given up. Then nothing is kept.
  @usableFromInline let isNeeded: Bool
  @usableFromInline var ages = RowAges()
  /// The last event's number at each of the newest looks at the time, the newest last.
  private var marks: [UInt64] = []

  init(_ rule: RowEviction) {
    self.rule = rule
    isNeeded = rule.limit != nil || rule.idleTime != nil
  }

  /// Notes that a row may go from now on, if the rule says so: it has been made, or its last subscriber has left it.
  @usableFromInline
  mutating func noteMayGo(_ place: UInt32, subscribers: Int) {
    if isNeeded, rule.includesObserved || subscribers == 0 { ages.enter(place) }
  }

  /// Notes that a row has its first subscriber.
  @usableFromInline
  mutating func noteObserved(_ place: UInt32) {
    if isNeeded, !rule.includesObserved { ages.leave(place) }
  }

  /// The place of the next row to be given up because there are too many; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  func next(of count: Int) -> UInt32? {
    guard let limit = rule.limit, count > limit else { return nil }
    return ages.first?.place
  }

  // MARK: Idleness

  /// Notes a look at the time, once in each period.
  ///
  /// - Returns: the number of the last event that is long enough ago; `nil` if none is.
  @usableFromInline
  mutating func mark() -> UInt64? {
    marks.append(ages.lastStamp)
    return marks.count > 8 ? marks.removeFirst() : nil
  }

  /// The place of the row that has been idle for the longest time, if it had no event since one with a number.
  @usableFromInline
  func idle(since stamp: UInt64) -> UInt32? {
    guard let first = ages.first, first.stamp <= stamp else { return nil }
    return first.place
  }
}
