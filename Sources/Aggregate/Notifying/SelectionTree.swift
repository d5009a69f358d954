import Streams
import Synchronization

/// All subscribers of one aggregator: the tree of its selections, and the round that tells them.
///
/// It belongs to the owner of the aggregator's queue; code that changes it takes it as a parameter.
@usableFromInline
struct SelectionTree: ~Copyable {
  /// The state, which the selections at the top read. Safe to keep as an address: the state does not move, and the
  /// shell that holds this tree keeps it alive.
  @usableFromInline let root: UnsafeRawPointer
  @usableFromInline var branch = SelectionBranch()
  @usableFromInline var round = Round()
  /// The groups that have observers, to be told of the end.
  private var observed = BorrowedList<ObserverGroup>()
  /// The last token. It rises with each subscription to the aggregator, to any of its fields and streams.
  private var lastToken = 0
  @usableFromInline private(set) var hasEnded = false

  @usableFromInline
  init(root: UnsafeRawPointer) {
    self.root = root
  }

  /// Adds an observer to a group, behind all others of the aggregator.
  @inlinable
  mutating func add<Element: Sendable>(
    _ observer: Observer<Element, Never>,
    to observers: inout ObserverList<AnyObject>,
    of group: ObserverGroup
  ) {
    observer.token = append(observer, to: &observers, of: group)
  }

  /// - Returns: the token of the observer.
  @usableFromInline
  mutating func append(
    _ observer: AnyObject,
    to observers: inout ObserverList<AnyObject>,
    of group: ObserverGroup
  ) -> Int {
    assert(!hasEnded, "An observer was added to an aggregator that has ended.")
    lastToken += 1
    observers.append(observer, token: lastToken)
    let count = group.count.add(1, ordering: .relaxed).newValue
    assert(count == observers.count, "A group has lost count of its observers.")
    if count == 1 {
      group.index.store(Int32(observed.count), ordering: .relaxed)
      observed.append(group)
    }
    return lastToken
  }

  /// Takes an observer out of a group.
  ///
  /// - Returns: what was taken out, to be released when the queue is free.
  @inlinable
  mutating func remove<Element: Sendable>(
    _ observer: Observer<Element, Never>,
    from observers: inout ObserverList<AnyObject>,
    of group: ObserverGroup
  ) -> Observer<Element, Never>? {
    takeOut(observer, token: observer.token, from: &observers, of: group) ? observer : nil
  }

  /// - Returns: whether the observer was there. It is not released yet: who calls this has it.
  @usableFromInline
  mutating func takeOut(
    _ observer: AnyObject,
    token: Int,
    from observers: inout ObserverList<AnyObject>,
    of group: ObserverGroup
  ) -> Bool {
    guard observers.remove(observer, token: token) != nil else { return false }
    let count = group.count.subtract(1, ordering: .relaxed).newValue
    assert(count == observers.count, "A group has lost count of its observers.")
    if count == 0 {
      let index = Int(group.index.load(ordering: .relaxed))
      assert(observed[index] === group, "A group is not at its index among those that have observers.")
      observed.swapRemove(at: index)
      if index < observed.count { observed[index].index.store(Int32(index), ordering: .relaxed) }
    }
    return true
  }

  /// Tells all subscribers that nothing follows.
  mutating func finish(_ access: QueueAccess) {
    assert(!hasEnded, "An aggregator ended twice.")
    hasEnded = true
    for index in 0..<observed.count { round.note(observed[index]) }
    round.notifyInOrder(.end, access)
    assert(round.changed.count == 0, "A round ended before all groups had been told.")
  }
}

/// The part of an aggregator that a selection needs, without the type of the state.
@usableFromInline
protocol SelectionTreeOwner: SelectionNodeOwner {
  /// Changes the tree between two deliveries: now, or when the present one is over. The change may call user code.
  func changeTree(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Void)

  /// Takes something out of the tree without delivering anything for others. The change calls no user code.
  func maintainTree(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> [any Sendable])
}

extension SelectionTreeOwner {
  @usableFromInline
  func remove<Field: Sendable>(_ observer: Observer<Field, Never>, from node: FieldNode<Field>) {
    maintainTree { tree, access in
      var garbage: [any Sendable] = [tree.remove(observer, from: &node.contents(access).pointee.observers, of: node)]
      tree.branch.removeIfIdle(node, &garbage, access)
      return garbage
    }
  }
}
