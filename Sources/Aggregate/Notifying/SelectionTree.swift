import RASPSupport
import Streams

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
    access.check()
    assert(!hasEnded, "An observer was added to an aggregator that has ended.")
    lastToken += 1
    group.observers.append(observer, token: lastToken)
    if group.observers.count == 1 {
      group.index = Int32(observed.count)
      observed.append(.passUnretained(group))
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
    access.check()
    guard group.observers.remove(observer, token: token) != nil else { return false }
    if group.isEmpty {
      let index = Int(group.index)
      assert(observed[index] === group, "A group is not at its index among those that have observers.")
      _ = observed.swapRemove(at: index)
      if index < observed.count { observed[index].index = Int32(index) }
    }
    return true
  }

  #if DEBUG
    /// Returns what counts those of the present subscribers whose tokens are still kept when it is called.
    func countOfKeptSubscribers(_ access: QueueAccess) -> @Sendable () -> Int {
      var isHeld: [@Sendable () -> Bool] = []
      for index in 0..<observed.count {
        observed[index].observers.forEach { observer in
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

/// Where the tree of an aggregator is, and the queue that protects it: what a selection needs of an aggregator, without
/// the type of the state. Nothing here looks a type up at run time.
///
/// Safe to share: the tree is reached by the owner of the queue only, and lives as long as the queue.
@usableFromInline
package struct TreePlace: Sendable {
  private let queue: QueueOwnership
  private let tree: SharedAddress<UnsafeMutablePointer<SelectionTree>>

  /// - Parameter tree: the address of the tree, in what the queue protects.
  @usableFromInline
  package init(_ queue: QueueOwnership, _ tree: UnsafeMutablePointer<SelectionTree>) {
    self.queue = queue
    self.tree = SharedAddress(tree)
  }

  /// Is `true` when the aggregator has finished, behind its last event.
  var isOver: Bool { queue.isOver }

  /// Runs a job between two deliveries: now, or when the present one is over.
  @usableFromInline
  func run(_ job: @escaping @Sendable () -> Void) {
    queue.run(on: tree.pointer) { _, _ in job() }
  }

  /// Changes the tree between two deliveries: now, or when the present one is over. The change may call user code.
  @usableFromInline
  func change(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Void) {
    queue.run(on: tree.pointer, change)
  }

  /// Takes something out of the tree without delivering anything for others. The change calls no user code.
  package func changeWithoutDelivering(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Any?) {
    queue.runWithoutDelivering(on: tree.pointer, change)
  }
}

/// The part of an aggregator that a selection needs, without the type of the state.
@usableFromInline
package protocol SelectionTreeOwner: SelectionNodeOwner {
  var place: TreePlace { get }
}

extension SelectionTreeOwner {
  @usableFromInline
  package func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode) {
    place.changeWithoutDelivering { tree, access in
      var garbage = TreeGarbage()
      guard tree.takeOut(observer, token: token, from: node, access) else { return garbage }
      garbage.observer = observer
      tree.branch.removeIfIdle(node, &garbage, access)
      return garbage
    }
  }
}
