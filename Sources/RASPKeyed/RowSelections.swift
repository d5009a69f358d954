import Aggregate
import Streams
import Synchronization

/// The owner of the nodes of one row's selections. The nodes keep it alive.
///
/// Safe to share: as its superclass. The row is used by the owner of the queue. The shard is set and taken by that
/// owner, before the first subscriber comes and after the last one has left; between the two it does not change.
@usableFromInline
final class RowSelections<Key: Hashable & Sendable, State: AggregateState>: RowSubscribers, SelectionNodeOwner,
  @unchecked Sendable
{
  @usableFromInline let row: RowReference<Key, State>
  // These three by themselves, because what takes a subscriber out is not specialised, and looks up the types of the
  // row and the table to find them there. They do not move.
  @usableFromInline let branch: UnsafeMutablePointer<SelectionBranch>
  @usableFromInline let place: UInt32
  /// The rows of the table that have lost their subscribers.
  @usableFromInline let idle: UnsafeMutablePointer<[UInt32]>
  /// The store that the row is in. It lives as long as the shard, and is used only while that is kept or calls.
  @usableFromInline unowned(unsafe) let store: RowStore<Key, State>
  /// The shard of the row, kept while the row has subscribers. Without them it would be a circle, because the shard has
  /// the row.
  @usableFromInline var shard: (any SelectionTreeOwner)?

  @inlinable
  init(of row: RowReference<Key, State>, in store: RowStore<Key, State>) {
    self.row = row
    self.store = store
    branch = withUnsafeMutablePointer(to: &row.pointer.pointee.selections) { $0 }
    place = row.pointer.pointee.place
    idle = store.idle
  }

  /// Finds or makes the node of a selector, for one more subscriber.
  @inlinable
  func enter<Field: Sendable>(
    _ selector: StateSelector<State?, Field>,
    of shard: any SelectionTreeOwner,
    _ access: QueueAccess
  ) -> FieldNode<Field> {
    noteSubscriber(of: shard, access)
    return branch.pointee.enter(selector, from: row.stateAddress, below: nil, of: self) { selector, hash in
      store.readers[access].reader(of: selector, with: hash)
    }
  }

  @inlinable
  func noteSubscriber(of shard: any SelectionTreeOwner, _ access: QueueAccess) {
    guard count.add(1, ordering: .relaxed).oldValue == 0 else { return }
    self.shard = shard
    store.eviction[access].noteObserved(row.pointer.pointee.place)
  }

  @usableFromInline
  func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode) {
    assert(shard != nil, "A row that has a subscriber has no shard.")
    shard?.changeTreeWithoutDelivering { [self] tree, access in
      var garbage = TreeGarbage()
      guard tree.takeOut(observer, token: token, from: node, access) else { return garbage }
      garbage.observer = observer
      branch.pointee.removeIfIdle(node, &garbage, access)
      let left = count.subtract(1, ordering: .relaxed).newValue
      assert(left >= 0, "A row has lost count of its subscribers.")
      if left == 0 {
        noteIdle()
        garbage.owner = shard.take()
      }
      return garbage
    }
  }

  /// Notes that the row has lost its last subscriber. Called where the table cannot be claimed.
  @usableFromInline
  func noteIdle() {
    guard !isListedAsIdle else { return }
    isListedAsIdle = true
    idle.pointee.append(place)
  }

  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    shard?.report(diagnostic)
  }
}
