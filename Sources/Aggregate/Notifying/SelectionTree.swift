import Streams
import Synchronization

/// All subscribers of one aggregator: the tree of its selections, and the round that tells them.
///
/// It belongs to the owner of the aggregator's queue; code that changes it takes it as a parameter.
@usableFromInline
package struct SelectionTree: ~Copyable {
  /// The state, which the selections at the top read. Safe to keep as an address: the state does not move, and the
  /// shell that holds this tree keeps it alive.
  @usableFromInline let root: UnsafeRawPointer
  @usableFromInline package var branch = SelectionBranch()
  @usableFromInline package var round = Round()
  /// The groups that have observers, to be told of the end.
  private var observed = BorrowedList<ObserverGroup>()
  /// The last token. It rises with each subscription to the aggregator, to any of its fields and streams.
  private var lastToken = 0
  @usableFromInline package private(set) var hasEnded = false

  @usableFromInline
  package init(root: UnsafeRawPointer) {
    self.root = root
  }

  /// Adds an observer to a group, behind all others of the aggregator.
  @inlinable
  package mutating func add<Element: Sendable>(
    _ observer: Observer<Element, Never>,
    to group: ObserverGroup,
    _ access: QueueAccess
  ) {
    observer.token = append(observer, to: group, access)
  }

  /// - Returns: the token of the observer.
  @usableFromInline
  mutating func append(_ observer: AnyObject, to group: ObserverGroup, _ access: QueueAccess) -> Int {
    assert(!hasEnded, "An observer was added to an aggregator that has ended.")
    lastToken += 1
    group.observers(access).pointee.append(observer, token: lastToken)
    let count = group.count.add(1, ordering: .relaxed).newValue
    assert(count == group.observers(access).pointee.count, "A group has lost count of its observers.")
    if count == 1 {
      group.index.store(Int32(observed.count), ordering: .relaxed)
      observed.append(group)
    }
    return lastToken
  }

  /// Takes an observer out of a group. It is not released for that: who calls this has it.
  ///
  /// - Returns: whether the observer was there.
  @usableFromInline
  package mutating func takeOut(_ observer: AnyObject, token: Int, from group: ObserverGroup, _ access: QueueAccess)
    -> Bool
  {
    guard group.observers(access).pointee.remove(observer, token: token) != nil else { return false }
    let count = group.count.subtract(1, ordering: .relaxed).newValue
    assert(count == group.observers(access).pointee.count, "A group has lost count of its observers.")
    if count == 0 {
      let index = Int(group.index.load(ordering: .relaxed))
      assert(observed[index] === group, "A group is not at its index among those that have observers.")
      observed.swapRemove(at: index)
      if index < observed.count { observed[index].index.store(Int32(index), ordering: .relaxed) }
    }
    return true
  }

  #if DEBUG
    /// Returns what counts those of the present subscribers whose tokens are still kept when it is called.
    func countOfKeptSubscribers(_ access: QueueAccess) -> @Sendable () -> Int {
      var isHeld: [@Sendable () -> Bool] = []
      for index in 0..<observed.count {
        observed[index].observers(access).pointee.forEach { observer in
          guard let lifetime = (observer as? any LifetimeEnding)?.lifetime else { return }
          isHeld.append { [weak lifetime] in lifetime != nil }
        }
      }
      return { [isHeld] in isHeld.count { $0() } }
    }
  #endif

  /// Tells all subscribers that nothing follows.
  mutating func finish(_ access: QueueAccess) {
    assert(!hasEnded, "An aggregator ended twice.")
    hasEnded = true
    for index in 0..<observed.count { round.note(observed[index]) }
    round.notifyInOrder(.end, access)
    assert(round.changed.count == 0, "A round ended before all groups had been told.")
  }
}
