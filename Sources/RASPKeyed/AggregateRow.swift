import Aggregate
import Streams

/// One row of a ``KeyedAggregator``: its present state, and selections of its fields.
///
///     let acme = quotes["ACME"]
///     acme.current                                            // nil while there is no such row
///     let token = acme.select(\.price).subscribe { show($0) } // now, and whenever it changes
///
/// It is a name for the row, and not the row: it may be made before the row is there, and used when the row is gone.
/// Its selections have the value `nil` in the meantime, and a row that comes back is selected again. It does not keep
/// the aggregator alive.
///
/// - Ordering: as for ``/Aggregate/Selection``.
/// - Concurrency: every member may be called from any thread, also from inside callbacks.
/// - Complexity: an event for another row costs these selections nothing.
public struct AggregateRow<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  /// The key of the row.
  public let key: Key

  @usableFromInline let shard: KeyedShard<Key, State>

  @inlinable
  init(_ key: Key, in shard: KeyedShard<Key, State>) {
    self.key = key
    self.shard = shard
  }

  /// The present state; `nil` if there is no such row. From inside `apply`, see ``KeyedAggregator/rows()``.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var current: State? {
    shard.state(of: key)
  }

  /// The number of subscribers to selections of this row. A subscriber that has left or ended is counted until the
  /// aggregator has taken it out: at the latest when what was sent before that has been delivered.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var subscriberCount: Int {
    shard.read { $0.subscriberCount(of: key) } ?? 0
  }

  /// The selection of what a selector reads. All ways to `select` come to this.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func selection<Field: Sendable>(of selector: StateSelector<State, Field>) -> Selection<Field?> {
    let key = key
    let shard = shard
    let row = selector.ofRow
    // A stored property is copied from where it is, without the rest of the row.
    let read: @Sendable () -> Field? =
      if let offset = selector.offset { { shard.field(at: offset, in: key) } } else {
        { shard.state(of: key).map { selector($0) } }
      }
    return Selection<Field?>(
      owner: shard,
      read: read,
      enter: { _, access in shard.store.selections(of: key, for: shard, access).enter(row) },
      areEquivalent: row.comparison.areEquivalent
    )
  }

  /// Selects a field by key path. Subscribers get it when it differs from what they got last, and `nil` when the row
  /// has been removed.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field?> {
    selection(of: StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects a field that cannot be compared. Subscribers get it at every event of the row, unless a comparison is
  /// given.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field?> {
    selection(of: StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects what a closure reads. Each call makes a selection of its own, so keep a ``/Aggregate/StateSelector`` where
  /// several subscribers should share one.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ read: @escaping @Sendable (State) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field?> {
    selection(of: StateSelector(read, by: areEquivalent))
  }

  /// Selects what a closure reads and what cannot be compared. Subscribers get it at every event of the row, unless a
  /// comparison is given.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(
    _ read: @escaping @Sendable (State) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field?> {
    selection(of: StateSelector(read, by: areEquivalent))
  }

  /// Selects by a selector that can be kept and reused.
  ///
  /// - Parameter selector: a ``/Aggregate/StateSelector``.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Sendable>(_ selector: any StateReading<State, Field>) -> Selection<Field?> {
    selection(of: selector.selector)
  }
}
