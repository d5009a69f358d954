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
  /// The last event's number and the time at each of the newest looks, the newest last. The times are those at which
  /// the looks were folded, so no event before a mark was folded later. About ten lie within the time of the rule.
  private var marks: [(stamp: UInt64, time: Duration)] = []

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

  /// Notes a look at the time, about once in each period.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - asked: the time when the look was put in line. What came later waits behind it and is not known, so a row that
  ///     was silent until then has been silent for as long as is known.
  /// - Returns: the number of the last event that is long enough ago; `nil` if none is.
  @usableFromInline
  mutating func mark(at now: Duration, askedAt asked: Duration) -> UInt64? {
    guard let idleTime = rule.idleTime else { return nil }
    marks.append((ages.lastStamp, now))
    guard let last = marks.lastIndex(where: { asked - $0.time >= idleTime }) else { return nil }
    marks.removeFirst(last)
    return marks[0].stamp
  }

  /// The place of the row that has been idle for the longest time, if it had no event since one with a number.
  @usableFromInline
  func idle(since stamp: UInt64) -> UInt32? {
    guard let first = ages.first, first.stamp <= stamp else { return nil }
    return first.place
  }
}
