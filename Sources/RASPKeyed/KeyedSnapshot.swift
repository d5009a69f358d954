import Aggregate

/// The present rows of a ``KeyedAggregator``.
///
///     quotes.snapshot["ACME"]          // one row, in O(1)
///     quotes.snapshot.rows             // all rows, copied for this
///
/// It is read when you ask. To keep what is there now, keep ``rows``.
///
/// A read from inside `apply` cannot be answered: it finds no row, and a debug build reports it on
/// ``KeyedAggregator/diagnostics``.
///
/// - Concurrency: may be read from any thread. A read waits for an `apply` that is running on another thread, and an
///   event that arrives meanwhile is folded after it.
public struct KeyedSnapshot<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline let core: KeyedCore<Key, State>

  @inlinable
  init(_ core: KeyedCore<Key, State>) {
    self.core = core
  }

  /// The state of a row; `nil` if there is no such row.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(key: Key) -> State? {
    core.shard(of: key).state(of: key)
  }

  /// The number of rows.
  ///
  /// - Complexity: O(shards).
  @inlinable
  public var count: Int {
    var count = 0
    for shard in core.shards { count += shard.read { $0.stateCount } ?? 0 }
    return count
  }

  /// All rows. Those of one shard belong to one moment; with several shards each has its own.
  ///
  /// - Complexity: O(rows).
  @inlinable
  public var rows: [Key: State] {
    var rows: [Key: State] = [:]
    for shard in core.shards {
      let states = shard.read { $0.states } ?? []
      rows.reserveCapacity(rows.count + states.count)
      for (key, _, state) in states { rows[key] = state }
    }
    return rows
  }
}
