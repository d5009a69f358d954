import Streams
import Synchronization

/// The selections below one row. It is the owner of their nodes, which keep it alive.
///
/// Safe to share: as its superclass; the row is used by the owner of the queue.
@usableFromInline
final class RowSelections<Key: Hashable & Sendable, State: AggregateState>: RowBranch, SelectionNodeOwner,
  @unchecked Sendable
{
  @usableFromInline let row: RowReference<Key, State>
  /// Retained while the row has subscribers. Without them it would be a circle, because the shard has the row.
  private let shard: Unmanaged<KeyedShard<Key, State>>

  init(of row: RowReference<Key, State>, in shard: KeyedShard<Key, State>) {
    self.row = row
    self.shard = .passUnretained(shard)
  }

  /// Finds or makes the node of a selector, for one more subscriber.
  @inlinable
  func enter<Field: Sendable>(_ selector: StateSelector<State?, Field>, _ access: QueueAccess) -> FieldNode<Field> {
    noteSubscriber()
    return selections[access].enter(selector, from: row.stateAddress, below: nil, of: self)
  }

  @usableFromInline
  func noteSubscriber() {
    if subscriberCount.add(1, ordering: .relaxed).oldValue == 0 { _ = shard.retain() }
  }

  @usableFromInline
  func remove<Field: Sendable>(_ observer: Observer<Field, Never>, from node: FieldNode<Field>) {
    // An observer is in the row, so the shard is retained.
    let shard = shard.takeUnretainedValue()
    shard.maintainTree { [self] tree, access in
      guard let removed = tree.remove(observer, from: &node.contents[access].observers, of: node) else { return [] }
      var garbage: [any Sendable] = [removed]
      selections[access].removeIfIdle(node, &garbage, access)
      let left = subscriberCount.subtract(1, ordering: .relaxed).newValue
      assert(left >= 0, "A row has lost count of its subscribers.")
      if left == 0 {
        shard.store.table.pointee.noteIdle(row)
        garbage.append(self.shard.takeRetainedValue())
      }
      return garbage
    }
  }

  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    shard.takeUnretainedValue().report(diagnostic)
  }
}
