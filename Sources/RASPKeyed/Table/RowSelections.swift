import Aggregate
import Streams
import Synchronization

/// The owner of the nodes of one row's selections. The nodes keep it alive.
///
/// Safe to share: as its superclass. The shard does not change as long as there are subscribers; then the owner of the
/// queue takes it. The rest does not change.
@usableFromInline
final class RowSelections<Key: Hashable & Sendable, State: AggregateState>: RowSubscribers, SelectionNodeOwner,
  @unchecked Sendable
{
  /// It is in the store as long as it has subscribers.
  @usableFromInline unowned let row: KeyedRow<Key, State>
  /// It lives as long as the shard, and is used only while that is kept.
  @usableFromInline unowned let store: RowStore<Key, State>
  /// The shard of the row. It is given up with the last subscriber, because a token may keep a node for longer.
  @exclusivity(unchecked) @usableFromInline var shard: (any SelectionTreeOwner)?

  @inlinable
  init(of row: KeyedRow<Key, State>, in store: RowStore<Key, State>, for shard: any SelectionTreeOwner) {
    self.row = row
    self.store = store
    self.shard = shard
  }

  /// Finds or makes the node of a selector, for one more subscriber.
  @inlinable
  func enter<Field: Sendable>(_ selector: StateSelector<State?, Field>) -> FieldNode<Field> {
    count.add(1, ordering: .relaxed)
    return branch.enter(selector, from: row.address, below: nil, of: self)
  }

  @usableFromInline
  func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode) {
    assert(shard != nil, "A row that has a subscriber has no shard.")
    shard?.place.changeWithoutDelivering { [self] tree, access in
      var garbage = TreeGarbage()
      guard tree.takeOut(observer, token: token, from: node, access) else { return garbage }
      garbage.observer = observer
      branch.removeIfIdle(node, &garbage, access)
      if count.subtract(1, ordering: .relaxed).newValue == 0 {
        assert(branch.isEmpty, "A row has lost count of its subscribers.")
        store.removeSelections(of: row, access)
        garbage.owner = shard.take()
      }
      return garbage
    }
  }

  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    shard?.report(diagnostic)
  }
}

extension RowStore {
  /// The selections of a row, which is made if there is none.
  ///
  /// - Parameter shard: has the store. It is kept while the row has subscribers.
  @inlinable
  func selections(
    of key: Key,
    for shard: any SelectionTreeOwner,
    _ access: QueueAccess
  ) -> RowSelections<Key, State> {
    let row = rowOrNew(of: key)
    if let subscribers = row.subscribers {
      return unsafeDowncast(subscribers.takeUnretainedValue(), to: RowSelections<Key, State>.self)
    }
    let selections = RowSelections(of: row, in: self, for: shard)
    change { row.subscribers = .passRetained(selections) }
    return selections
  }

  /// Gives up the selections of a row whose last subscriber has left.
  @inlinable
  func removeSelections(of row: Row, _ access: QueueAccess) {
    change {
      row.subscribers.take()?.release()
      removeIfEmpty(row)
    }
    noteMayGo(row, access)
  }
}
