import Aggregate
import Streams
import Synchronization

/// The selections of one row that has subscribers, and the owner of their nodes, which keep it alive.
///
/// Safe to share: the count is atomic, because other threads ask for it. The branch and the shard belong to the owner
/// of the queue. The rest does not change.
@usableFromInline
final class RowSelections<Key: Hashable & Sendable, State: AggregateState>: SelectionNodeOwner, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var branch = SelectionBranch()
  /// The number of subscribers.
  @usableFromInline let count = Atomic<Int>(0)
  /// It is in the store as long as it has selections.
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
    return branch.enter(selector, from: row.stateAddress, below: nil, of: self)
  }

  @usableFromInline
  func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode) {
    assert(shard != nil, "A row that has a subscriber has no shard.")
    shard?.changeTreeWithoutDelivering { [self] tree, access in
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
