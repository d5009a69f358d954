import Streams
import Synchronization

/// The memory of the rows of one shard, for the owner of its queue and for readers.
///
/// Safe to share: see ``RowTable``; `phase` is atomic, and the other two belong to the owner of the queue.
@usableFromInline
final class RowStore<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  @usableFromInline let table: UnsafeMutablePointer<RowTable<Key, State>>
  /// The phase of the owner's work, as in ``StateReference``.
  @usableFromInline let phase: UnsafeMutablePointer<Atomic<UInt8>>
  @usableFromInline let eviction: QueueIsolated<EvictionPlan>
  @usableFromInline let readers = QueueIsolated(SharedReaders())

  init(evicting rule: RowEviction) {
    table = .allocate(capacity: 1)
    table.initialize(to: RowTable())
    phase = .allocate(capacity: 1)
    phase.initialize(to: Atomic(StateReference<State>.settled))
    eviction = QueueIsolated(EvictionPlan(rule))
  }

  deinit {
    table.deinitialize(count: 1)
    table.deallocate()
    phase.deinitialize(count: 1)
    phase.deallocate()
  }

  /// Forgets the subscribers of rows that have none any more. The table has been claimed.
  @inlinable
  @inline(__always)
  func removeIdle(_ access: QueueAccess) {
    if table.pointee.hasIdle { removeAllIdle(access) }
  }

  @inlinable
  @inline(never)
  func removeAllIdle(_ access: QueueAccess) {
    table.pointee.removeIdle { row in
      eviction[access].noteMayGo(row.pointer.pointee.place, subscribers: row.subscriberCount)
    }
  }
}
