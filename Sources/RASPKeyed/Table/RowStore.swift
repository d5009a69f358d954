import Aggregate
import RASPPrimitives
import Streams

/// The memory of the rows of one shard, for the owner of its queue and for readers.
///
/// Safe to share: what `eviction` and `readers` have belongs to the owner of the queue; see the other two.
@usableFromInline
final class RowStore<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  // These two are stored and not computed: where a computed one is not specialised, it reads the type from the object,
  // and the thread sanitizer takes a change of `eviction` for one of the object.

  /// Safe to share: see ``RowTable``.
  @usableFromInline nonisolated(unsafe) let table: UnsafePointer<RowTable<Key, State>>
  /// The gate that the table stands behind.
  ///
  /// Safe to share: see ``FoldGate``.
  @usableFromInline nonisolated(unsafe) let folding: UnsafeMutablePointer<FoldGate>
  @usableFromInline let eviction: QueueIsolated<EvictionPlan>
  @usableFromInline let readers = QueueIsolated(SharedReaders())

  init(evicting rule: RowEviction) {
    let table = UnsafeMutablePointer<RowTable<Key, State>>.allocate(capacity: 1)
    table.initialize(to: RowTable())
    self.table = UnsafePointer(table)
    folding = .allocate(capacity: 1)
    folding.initialize(to: FoldGate())
    eviction = QueueIsolated(EvictionPlan(rule))
  }

  deinit {
    UnsafeMutablePointer(mutating: table).deinitialize(count: 1)
    table.deallocate()
    folding.deinitialize(count: 1)
    folding.deallocate()
  }

  /// Changes the table: no other thread reads it meanwhile.
  ///
  /// - Parameter body: makes the change, and calls no user code but the equality of keys.
  @inlinable
  @inline(__always)
  func change<Result>(_ body: (_ table: UnsafeMutablePointer<RowTable<Key, State>>) -> Result) -> Result {
    folding.pointee.gate.change { body(folding.pointee.gate.changed(table)) }
  }

  /// The rows that have lost all subscribers. Readers do not see them, so they are noted where the table cannot be
  /// claimed, too.
  @inlinable
  var idle: UnsafeMutablePointer<[UInt32]> {
    withUnsafeMutablePointer(to: &UnsafeMutablePointer(mutating: table).pointee.idle) { $0 }
  }

  /// Forgets the subscribers of rows that have none any more. The table is being changed.
  @inlinable
  @inline(__always)
  func removeIdle(_ access: QueueAccess) {
    if table.pointee.hasIdle { removeAllIdle(access) }
  }

  @inlinable
  @inline(never)
  func removeAllIdle(_ access: QueueAccess) {
    folding.pointee.gate.changed(table).pointee.removeIdle { row in
      eviction[access].noteMayGo(row.pointer.pointee.place, subscribers: row.subscriberCount)
    }
  }
}
