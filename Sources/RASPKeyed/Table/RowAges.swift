/// The rows of a shard by the age of their last event: the links of the list are properties of the rows. An event moves
/// its row to the new end, and the row that is given up first is at the old one.
///
/// ```
///   ends ⇄ "b" ⇄ "a" ⇄ "d" ⇄ "c" ⇄ ends      the candidate is "d": "b" and "a" have subscribers of their own
/// ```
///
/// A row that may not go, because it has subscribers, stays in its place and is passed over. The candidate is where the
/// last search has come to, so a row is passed over once, and not each time. It steps back when an older row may go.
///
/// Invariants: the stamps rise along the list, which is a circle through `ends`. A row in the list has two neighbours,
/// a row that is not in it has none. Rows that are older than the candidate may not go.
///
/// It belongs to the owner of the shard's queue, and does not depend on the types of keys and rows.
@usableFromInline
struct RowAges: ~Copyable {
  private let rule: RowEviction
  /// Its newer neighbour is the oldest row, and its older one the newest row. It has the greatest stamp.
  private let ends = UntypedRow()
  private var candidate: Unmanaged<UntypedRow>
  /// The number of the last event.
  private(set) var lastStamp: UInt64 = 0
  /// The last event's number and the time at each of the newest looks, the newest last. The times are those at which
  /// the looks were folded, so no event before a mark was folded later. About ten lie within the time of the rule.
  private var marks: [(stamp: UInt64, time: Duration)] = []

  init(_ rule: RowEviction) {
    self.rule = rule
    candidate = .passUnretained(ends)
    ends.older = candidate
    ends.newer = candidate
    ends.stamp = .max
  }

  /// Notes an event of a row, which is the newest from now on.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  mutating func touch(_ row: UntypedRow) {
    leave(row)
    lastStamp += 1
    row.stamp = lastStamp
    row.older = ends.older
    row.newer = .passUnretained(ends)
    ends.older?._withUnsafeGuaranteedRef { $0.newer = .passUnretained(row) }
    ends.older = .passUnretained(row)
    noteMayGo(row)
  }

  /// Notes that a row may go from now on, because its last subscriber has left it.
  @usableFromInline
  mutating func noteMayGo(_ row: UntypedRow) {
    guard row.newer != nil else { return }
    if row.stamp < candidate._withUnsafeGuaranteedRef({ $0.stamp }) { candidate = .passUnretained(row) }
  }

  /// Takes a row out that has gone.
  @usableFromInline
  mutating func leave(_ row: UntypedRow) {
    guard let older = row.older, let newer = row.newer else { return }
    if candidate.toOpaque() == Unmanaged.passUnretained(row).toOpaque() { candidate = newer }
    older._withUnsafeGuaranteedRef { $0.newer = newer }
    newer._withUnsafeGuaranteedRef { $0.older = older }
    row.older = nil
    row.newer = nil
  }

  /// The row whose last event is the longest ago, of those that may go; `nil` if there is none.
  ///
  /// - Complexity: O(1) and a step for each row that is passed over.
  mutating func first() -> UntypedRow? {
    while true {
      let row = candidate.takeUnretainedValue()
      if row === ends { return nil }
      guard row.subscribers != nil, !rule.includesObserved, let newer = row.newer else { return row }
      candidate = newer
    }
  }

  // MARK: The rule

  /// The next row to be given up because there are too many; `nil` if there is none. The newest row is none: where all
  /// others have subscribers, none goes.
  @usableFromInline
  mutating func beyondLimit(of count: Int) -> UntypedRow? {
    guard let limit = rule.limit, count > limit, let first = first(), first.stamp < lastStamp else { return nil }
    return first
  }

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
    marks.append((lastStamp, now))
    guard let last = marks.lastIndex(where: { asked - $0.time >= idleTime }) else { return nil }
    marks.removeFirst(last)
    return marks[0].stamp
  }

  /// The row that has been idle for the longest time, if it had no event since one with a number.
  @usableFromInline
  mutating func idle(since stamp: UInt64) -> UntypedRow? {
    guard let first = first(), first.stamp <= stamp else { return nil }
    return first
  }
}
