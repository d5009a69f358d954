/// A row in the order of last events.
///
/// Safe to share: as a ``KeyedRow``; it belongs to the owner of the shard's queue.
@usableFromInline
class RowAge: @unchecked Sendable {
  // A neighbour is not retained: a row is taken out before the store gives it up.
  @exclusivity(unchecked) fileprivate final var older: Unmanaged<RowAge>?
  @exclusivity(unchecked) fileprivate final var newer: Unmanaged<RowAge>?
  /// The number of the last event of the row.
  @exclusivity(unchecked) fileprivate(set) final var stamp: UInt64 = 0

  @usableFromInline
  init() {}
}

/// The rows of a shard by the age of their last event: the links of the list are properties of the rows. An event moves
/// its row to the new end, and the row that is given up first is at the old one.
///
/// ```
///   list       ends ⇄ "b" ⇄ "a" ⇄ "c" ⇄ ends      "d" is out: it has subscribers of its own
///   returned   "e", "f"                           rows that came back in, sorted by their stamps
/// ```
///
/// A row that may not go is out. One that may go again is as old as its last event: often older than the newest ones,
/// and newer than the oldest ones. It then waits for its next event beside the list.
///
/// Invariants: the stamps rise along the list, which is a circle through `ends`. A row in the list has two neighbours,
/// a row that has returned has itself as the older one, and a row that is out has none.
///
/// It belongs to the owner of the shard's queue, and does not depend on the types of keys and rows.
@usableFromInline
struct RowAges: ~Copyable {
  private let rule: RowEviction
  /// Its newer neighbour is the oldest row, and its older one the newest row.
  private let ends = RowAge()
  private var returned = RankedList<UInt64, Unmanaged<RowAge>>(descending: false, window: 0)
  /// The number of the last event.
  private(set) var lastStamp: UInt64 = 0
  /// The last event's number and the time at each of the newest looks, the newest last. The times are those at which
  /// the looks were folded, so no event before a mark was folded later. About ten lie within the time of the rule.
  private var marks: [(stamp: UInt64, time: Duration)] = []

  init(_ rule: RowEviction) {
    self.rule = rule
    ends.older = .passUnretained(ends)
    ends.newer = .passUnretained(ends)
  }

  /// Notes an event of a row. If it is in, it is the newest from now on.
  ///
  /// - Complexity: O(1); O(log rows that came back) if it is one of those.
  @usableFromInline
  mutating func touch(_ row: RowAge) {
    let isIn = row.older != nil
    leave(row)
    lastStamp += 1
    row.stamp = lastStamp
    if isIn { append(row) }
  }

  /// Lets a row in that may go from now on. Rows that are in stay where they are.
  ///
  /// - Complexity: O(1) for the newest row of all; otherwise O(log rows that came back).
  @usableFromInline
  mutating func enter(_ row: RowAge) {
    guard row.older == nil else { return }
    let newest = ends.older?._withUnsafeGuaranteedRef { $0.stamp } ?? 0
    if newest < row.stamp { return append(row) }
    row.older = .passUnretained(row)
    _ = returned.insert(entry(of: row))
  }

  /// Takes a row out that has gone, or that may not go.
  @usableFromInline
  mutating func leave(_ row: RowAge) {
    guard let older = row.older else { return }
    if let newer = row.newer {
      older._withUnsafeGuaranteedRef { $0.newer = newer }
      newer._withUnsafeGuaranteedRef { $0.older = older }
    } else {
      _ = returned.remove(entry(of: row))
    }
    row.older = nil
    row.newer = nil
  }

  private func append(_ row: RowAge) {
    row.older = ends.older
    row.newer = .passUnretained(ends)
    ends.older?._withUnsafeGuaranteedRef { $0.newer = .passUnretained(row) }
    ends.older = .passUnretained(row)
  }

  private func entry(of row: RowAge) -> RankedEntry<UInt64, Unmanaged<RowAge>> {
    RankedEntry(value: row.stamp, number: row.stamp, row: .passUnretained(row))
  }

  /// The row whose last event is the longest ago; `nil` if none is in.
  var first: RowAge? {
    let oldest = ends.newer.flatMap { $0.takeUnretainedValue() === ends ? nil : $0.takeUnretainedValue() }
    let back = returned.chunks.first?.first?.row.takeUnretainedValue()
    guard let oldest, let back else { return oldest ?? back }
    return back.stamp < oldest.stamp ? back : oldest
  }

  // MARK: The rule

  /// The next row to be given up because there are too many; `nil` if there is none.
  @usableFromInline
  func beyondLimit(of count: Int) -> RowAge? {
    guard let limit = rule.limit, count > limit else { return nil }
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
  func idle(since stamp: UInt64) -> RowAge? {
    guard let first, first.stamp <= stamp else { return nil }
    return first
  }
}
