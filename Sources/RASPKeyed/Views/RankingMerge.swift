import Aggregate

/// The rankings of several shards in one.
///
/// A change of one shard leaves the rows of the others as they are, so it costs a walk through the rows that are shown.
/// Only if fewer of its rows are shown than before, it is not known which rows of the others follow, and all parts are
/// merged.
@usableFromInline
struct RankingMerge<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: ShardCombiner {
  @usableFromInline typealias Row = RankedRow<Key, State, Value>

  /// The first row of a part that has not been taken.
  @usableFromInline
  struct Head: Sendable {
    @usableFromInline var value: Value
    @usableFromInline let part: Int
    @usableFromInline var index = 0

    @inlinable
    init(_ value: Value, of part: Int) {
      self.value = value
      self.part = part
    }
  }

  @usableFromInline let order: RankedOrder<Value>
  @usableFromInline let length: Int
  /// What each shard has sent last.
  @usableFromInline var parts: [[Row]]
  @usableFromInline var isThere: [Bool]
  @usableFromInline var missing: Int
  /// The rows that were sent last, and the shard of each.
  @usableFromInline var shown: [Row] = []
  @usableFromInline var shardOf: [Int] = []
  @usableFromInline var isMerged = false

  @inlinable
  init(of shards: Int, first length: Int, descending isDescending: Bool) {
    order = RankedOrder(descending: isDescending)
    self.length = max(0, length)
    parts = Array(repeating: [], count: shards)
    isThere = Array(repeating: false, count: shards)
    missing = shards
  }

  @inlinable
  mutating func take(_ part: [Row], of shard: Int) -> [Row]? {
    if !isThere[shard] {
      isThere[shard] = true
      missing -= 1
    }
    parts[shard] = part
    guard missing == 0 else { return nil }
    guard !isMerged || !exchangeRows(of: shard) else { return shown }
    isMerged = true
    // Its memory is used again.
    var shards = shardOf
    shardOf = []
    shards.removeAll(keepingCapacity: true)
    shown = merged(parts) { shards.append($0) }
    shardOf = shards
    return shown
  }

  /// Puts the rows of one shard in the place of those that it had before.
  ///
  /// - Returns: `false` if other rows have to follow, of which it is not known which; nothing has changed then.
  /// - Complexity: O(`length`).
  @inlinable
  mutating func exchangeRows(of shard: Int) -> Bool {
    let part = parts[shard]
    var own = 0
    for other in shardOf where other == shard { own += 1 }
    // Behind the last row that was shown of the others there may be more of them, unless all had room.
    if shown.count == length, own > 0 {
      guard part.count >= own, let last = shardOf.lastIndex(where: { $0 != shard }),
        precedes(part[own - 1].value, of: shard, shown[last].value, of: shardOf[last])
      else { return false }
    }
    if own == 0, isUnconcerned(shard, part) { return true }
    let count = min(length, shown.count - own + part.count)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { shards in
      var rows: [Row] = []
      rows.reserveCapacity(count)
      var (next, old) = (0, 0)
      while rows.count < count {
        while old < shown.count, shardOf[old] == shard { old += 1 }
        let isOwn =
          old == shown.count
          || next < part.count && precedes(part[next].value, of: shard, shown[old].value, of: shardOf[old])
        shards.initializeElement(at: rows.count, to: isOwn ? shard : shardOf[old])
        rows.append(isOwn ? part[next] : shown[old])
        if isOwn { next += 1 } else { old += 1 }
      }
      shown = rows
      shardOf.replaceSubrange(0..., with: shards)
    }
    return true
  }

  /// Returns whether a shard of which no row was shown has none to be shown now.
  @inlinable
  func isUnconcerned(_ shard: Int, _ part: [Row]) -> Bool {
    guard !part.isEmpty else { return true }
    guard shown.count == length, let last = shown.last else { return length == 0 }
    return !precedes(part[0].value, of: shard, last.value, of: shardOf[length - 1])
  }

  /// Whether a row of one part comes before a row of another one.
  @inlinable
  @inline(__always)
  func precedes(_ value: Value, of part: Int, _ other: Value, of otherPart: Int) -> Bool {
    order.precedes(value, other) || part < otherPart && !order.precedes(other, value)
  }

  @inlinable
  static func whole(_ part: [Row]) -> [Row] { part }

  @inlinable
  func merged(_ parts: [[Row]]) -> [Row] {
    merged(parts) { _ in }
  }

  /// The first rows of all parts. Of rows with equal values, those of the first part come first.
  ///
  /// - Parameter note: gets the part of each row.
  /// - Complexity: O(`length` × parts), whatever the number of rows is.
  @inlinable
  func merged(_ parts: [[Row]], _ note: (_ part: Int) -> Void) -> [Row] {
    // The values side by side: each row of the result looks at all of them.
    var heads: [Head] = []
    heads.reserveCapacity(parts.count)
    var count = 0
    for part in parts.indices {
      count += parts[part].count
      if let first = parts[part].first { heads.append(Head(first.value, of: part)) }
    }
    var rows: [Row] = []
    rows.reserveCapacity(min(length, count))
    while rows.count < length, !heads.isEmpty {
      let first = heads.withUnsafeBufferPointer { indexOfFirst(in: $0) }
      let (part, next) = (heads[first].part, heads[first].index + 1)
      rows.append(parts[part][next - 1])
      note(part)
      if next == parts[part].count {
        heads.remove(at: first)
      } else {
        heads[first].index = next
        heads[first].value = parts[part][next].value
      }
    }
    return rows
  }

  /// The index of the head that comes first.
  @inlinable
  @inline(__always)
  func indexOfFirst(in heads: UnsafeBufferPointer<Head>) -> Int {
    var first = 0
    var index = 1
    while index < heads.count {
      if order.precedes(heads[index].value, heads[first].value) { first = index }
      index += 1
    }
    return first
  }
}
