import Streams
import Synchronization

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
/// It belongs to the owner of the shard's queue.
@usableFromInline
struct EvictionPlan<Key: Hashable & Sendable>: Sendable {
  private struct Candidate: Sendable {
    let key: Key
    let stamp: UInt64
  }

  let rule: RowEviction
  private var candidates: [Candidate] = []
  /// The number of rows below which a walk finds nothing new.
  private var nextWalk = 0
  /// The last event's number at each of the newest looks at the time, the newest last.
  private var marks: [UInt64] = []

  init(_ rule: RowEviction) {
    self.rule = rule
    nextWalk = (rule.limit ?? 0) + 1
  }

  /// The next row to be given up because there are too many; `nil` if there is none.
  ///
  /// - Complexity: O(1) amortised over the rows that come anew, but for sorting an eighth of the rows each time.
  mutating func next<State: AggregateState>(
    in table: UnsafeMutablePointer<RowTable<Key, State>>,
    lastStamp: UInt64
  ) -> (RowReference<Key, State>, RowRemoval)? {
    guard let limit = rule.limit, table.pointee.stateCount > limit else { return nil }
    if let row = candidate(in: table) { return (row, .beyondLimit) }
    guard table.pointee.stateCount >= nextWalk else { return nil }
    findCandidates(in: table, count: limit / 8 + table.pointee.stateCount - limit)
    if let row = candidate(in: table) { return (row, .beyondLimit) }
    // All that might go have subscribers: it is not worth looking again for each newcomer.
    nextWalk = table.pointee.stateCount + limit / 8 + 1
    return nil
  }

  private mutating func candidate<State: AggregateState>(
    in table: UnsafeMutablePointer<RowTable<Key, State>>
  ) -> RowReference<Key, State>? {
    while let candidate = candidates.popLast() {
      guard let row = table.pointee.row(of: candidate.key), row.pointer.pointee.stamp == candidate.stamp, mayGo(row)
      else { continue }
      return row
    }
    return nil
  }

  private mutating func findCandidates<State: AggregateState>(
    in table: UnsafeMutablePointer<RowTable<Key, State>>,
    count: Int
  ) {
    var stamps: [UInt64] = []
    table.pointee.forEach { if mayGo($0) { stamps.append($0.pointer.pointee.stamp) } }
    stamps.sort()
    guard let oldest = stamps.first else { return }
    let newest = stamps[min(count, stamps.count) - 1]
    assert(oldest <= newest, "The numbers of events are not sorted.")
    table.pointee.forEach { row in
      if mayGo(row), row.pointer.pointee.stamp <= newest {
        candidates.append(Candidate(key: row.pointer.pointee.key, stamp: row.pointer.pointee.stamp))
      }
    }
    candidates.sort { $0.stamp > $1.stamp }
    nextWalk = (rule.limit ?? 0) + 1
  }

  /// The rows that have been idle for the time that the rule allows, the oldest first. Called once in each period.
  ///
  /// - Complexity: O(rows), and sorting those that it returns.
  mutating func idleRows<State: AggregateState>(
    in table: UnsafeMutablePointer<RowTable<Key, State>>,
    lastStamp: UInt64
  ) -> [RowReference<Key, State>] {
    marks.append(lastStamp)
    guard marks.count > 8 else { return [] }
    let mark = marks.removeFirst()
    var rows: [RowReference<Key, State>] = []
    table.pointee.forEach { if mayGo($0), $0.pointer.pointee.stamp <= mark { rows.append($0) } }
    // The order of the table says nothing to subscribers.
    return rows.sorted { $0.pointer.pointee.stamp < $1.pointer.pointee.stamp }
  }

  private func mayGo<State: AggregateState>(_ row: RowReference<Key, State>) -> Bool {
    row.hasState && (rule.includesObserved || row.subscriberCount == 0)
  }
}
