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
/// - Concurrency: may be read from any thread. A read waits for an `apply` that is running on another thread, and an event
///   that arrives meanwhile is folded after it.
public struct KeyedSnapshot<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  private let core: KeyedCore<Key, State>

  init(_ core: KeyedCore<Key, State>) {
    self.core = core
  }

  /// The state of a row; `nil` if there is no such row.
  ///
  /// - Complexity: O(1).
  public subscript(key: Key) -> State? {
    core.shard(of: key).state(of: key)
  }

  /// The number of rows.
  ///
  /// - Complexity: O(shards).
  public var count: Int {
    core.shards.reduce(0) { count, shard in count + (shard.read { $0.stateCount } ?? 0) }
  }

  /// All rows. Those of one shard belong to one moment; with several shards each has its own.
  ///
  /// - Complexity: O(rows).
  public var rows: [Key: State] {
    var rows: [Key: State] = [:]
    for shard in core.shards {
      let states = shard.read { $0.states } ?? []
      rows.merge(states.lazy.map { ($0.key, $0.value) }) { $1 }
    }
    return rows
  }
}
