import Streams
import Synchronization

/// The owner of the nodes of one row's selections. The nodes keep it alive.
///
/// Safe to share: as its superclass. The row is used by the owner of the queue. The shard is set and taken by that owner,
/// before the first subscriber comes and after the last one has left; between the two it does not change.
@usableFromInline
final class RowSelections<Key: Hashable & Sendable, State: AggregateState>: RowSubscribers, SelectionNodeOwner,
  @unchecked Sendable
{
  @usableFromInline let row: RowReference<Key, State>
  /// The store that the row is in. It lives as long as the shard, and is used only while that is kept or calls.
  @usableFromInline unowned(unsafe) let store: RowStore<Key, State>
  /// The shard of the row, kept while the row has subscribers. Without them it would be a circle, because the shard has the
  /// row.
  private var shard: (any SelectionTreeOwner)?

  init(of row: RowReference<Key, State>, in store: RowStore<Key, State>) {
    self.row = row
    self.store = store
  }

  /// Finds or makes the node of a selector, for one more subscriber.
  @inlinable
  func enter<Field: Sendable>(
    _ selector: StateSelector<State?, Field>,
    of shard: any SelectionTreeOwner,
    _ access: QueueAccess
  ) -> FieldNode<Field> {
    noteSubscriber(of: shard)
    return row.pointer.pointee.selections.enter(selector, from: row.stateAddress, below: nil, of: self) { selector in
      store.readers[access].reader(of: selector)
    }
  }

  @usableFromInline
  func noteSubscriber(of shard: any SelectionTreeOwner) {
    if count.add(1, ordering: .relaxed).oldValue == 0 { self.shard = shard }
  }

  @usableFromInline
  func remove<Field: Sendable>(_ observer: Observer<Field, Never>, from node: FieldNode<Field>) {
    assert(shard != nil, "A row that has a subscriber has no shard.")
    shard?.maintainTree { [self] tree, access in
      guard let removed = tree.remove(observer, from: &node.contents(access).pointee.observers, of: node) else {
        return []
      }
      var garbage: [any Sendable] = [removed]
      row.pointer.pointee.selections.removeIfIdle(node, &garbage, access)
      let left = count.subtract(1, ordering: .relaxed).newValue
      assert(left >= 0, "A row has lost count of its subscribers.")
      if left == 0 {
        store.table.pointee.noteIdle(row)
        if let shard = shard.take() { garbage.append(shard) }
      }
      return garbage
    }
  }

  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    shard?.report(diagnostic)
  }
}
