import Aggregate
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
  /// Safe to share: what is there is atomic.
  @usableFromInline nonisolated(unsafe) let phase: UnsafeMutablePointer<FoldPhase>
  @usableFromInline let eviction: QueueIsolated<EvictionPlan>
  @usableFromInline let readers = QueueIsolated(SharedReaders())

  init(evicting rule: RowEviction) {
    let table = UnsafeMutablePointer<RowTable<Key, State>>.allocate(capacity: 1)
    table.initialize(to: RowTable())
    self.table = UnsafePointer(table)
    phase = .allocate(capacity: 1)
    phase.initialize(to: FoldPhase())
    eviction = QueueIsolated(EvictionPlan(rule))
  }

  deinit {
    UnsafeMutablePointer(mutating: table).deinitialize(count: 1)
    table.deallocate()
    phase.deinitialize(count: 1)
    phase.deallocate()
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
    access.changed(table).pointee.removeIdle { row in
      eviction[access].noteMayGo(row.pointer.pointee.place, subscribers: row.subscriberCount)
    }
  }
}
