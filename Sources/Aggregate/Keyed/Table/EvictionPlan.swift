/// The rows that a shard is going to give up, by its ``RowEviction``.
///
/// It keeps no list of all rows by age, which each event would have to change. An event leaves its number in its row. From
/// time to time a walk through all rows finds those with the lowest numbers; one of them is given up if its number is
/// still the same.
///
/// ```
///   numbers in the rows      12  7  95  3  40  88           limit 5, a newcomer has just come
///   candidates, lowest last  (7, "b") (3, "d")              "d" goes; the next newcomer takes "b", if it is still 7
/// ```
///
/// Invariant: each row that may go and whose number is at most `horizon` is a candidate, possibly with an older number. So
/// the last candidate is the row that has been without an event for the longest time, if its number is still the same.
///
/// It belongs to the owner of the shard's queue.
@usableFromInline
struct EvictionPlan<Key: Hashable & Sendable>: Sendable {
  private struct Candidate: Sendable {
    let key: HashedKey<Key>
    let stamp: UInt64

    init<State: AggregateState>(_ row: RowReference<Key, State>) {
      key = row.pointer.pointee.hashedKey
      stamp = row.pointer.pointee.stamp
    }
  }

  let rule: RowEviction
  /// The one that has been without an event for the longest time comes last.
  private var candidates: [Candidate] = []
  /// All rows that may go are candidates if it is `UInt64.max`.
  private var horizon: UInt64 = 0
  /// The last event's number at each of the newest looks at the time, the newest last.
  private var marks: [UInt64] = []

  init(_ rule: RowEviction) {
    self.rule = rule
  }

  // MARK: Beyond a number of rows

  /// The next row to be given up because there are too many; `nil` if there is none.
  ///
  /// - Complexity: O(1) amortised over the rows that come anew, but for sorting an eighth of the rows each time.
  mutating func next<State: AggregateState>(
    in table: borrowing RowTable<Key, State>
  ) -> RowReference<Key, State>? {
    guard let limit = rule.limit, table.stateCount > limit else { return nil }
    if let row = candidate(in: table) { return row }
    guard horizon < .max else { return nil }
    findCandidates(in: table, count: limit / 8 + table.stateCount - limit)
    return candidate(in: table)
  }

  /// Notes that a row may go from now on: it has been made, or its last subscriber has left it.
  ///
  /// - Complexity: O(log candidates), and O(candidates) for a row of which there are older and newer ones.
  mutating func noteMayGo<State: AggregateState>(_ row: RowReference<Key, State>) {
    let stamp = row.pointer.pointee.stamp
    guard let limit = rule.limit, stamp <= horizon, mayGo(row) else { return }
    guard candidates.count < 2 * limit + 64 else {
      // Most of them have gone in another way.
      candidates = []
      horizon = 0
      return
    }
    var (low, high) = (0, candidates.count)
    while low < high {
      let middle = (low + high) / 2
      if candidates[middle].stamp > stamp { low = middle + 1 } else { high = middle }
    }
    if low < candidates.count, candidates[low].stamp == stamp { return }
    candidates.insert(Candidate(row), at: low)
  }

  private mutating func candidate<State: AggregateState>(
    in table: borrowing RowTable<Key, State>
  ) -> RowReference<Key, State>? {
    while let candidate = candidates.last, candidate.stamp <= horizon {
      candidates.removeLast()
      guard let row = table.row(of: candidate.key), mayGo(row) else { continue }
      if row.pointer.pointee.stamp == candidate.stamp { return row }
      // It had an event in the meantime: it is no candidate any more, and may be older than others that are.
      horizon = min(horizon, row.pointer.pointee.stamp - 1)
    }
    candidates = []
    return nil
  }

  private mutating func findCandidates<State: AggregateState>(
    in table: borrowing RowTable<Key, State>,
    count: Int
  ) {
    var stamps: [UInt64] = []
    table.forEachInAnyOrder { if mayGo($0) { stamps.append($0.pointer.pointee.stamp) } }
    stamps.sort()
    horizon = count < stamps.count ? stamps[count - 1] : .max
    table.forEachInAnyOrder { row in
      if row.pointer.pointee.stamp <= horizon, mayGo(row) { candidates.append(Candidate(row)) }
    }
    candidates.sort { $0.stamp > $1.stamp }
  }

  // MARK: Idleness

  /// The rows that have been idle for the time that the rule allows, the oldest first. Called once in each period.
  ///
  /// - Complexity: O(rows), and sorting those that it returns.
  mutating func idleRows<State: AggregateState>(
    in table: borrowing RowTable<Key, State>,
    lastStamp: UInt64
  ) -> [RowReference<Key, State>] {
    marks.append(lastStamp)
    guard marks.count > 8 else { return [] }
    let mark = marks.removeFirst()
    var rows: [RowReference<Key, State>] = []
    table.forEachInAnyOrder { if mayGo($0), $0.pointer.pointee.stamp <= mark { rows.append($0) } }
    // The order of the table says nothing to subscribers.
    return rows.sorted { $0.pointer.pointee.stamp < $1.pointer.pointee.stamp }
  }

  private func mayGo<State: AggregateState>(_ row: RowReference<Key, State>) -> Bool {
    row.hasState && (rule.includesObserved || row.subscriberCount == 0)
  }
}
