import RASPPrimitives
import Streams
import Synchronization

/// The selections directly below a state or a field: each is evaluated once per change of what is above it.
///
/// ```
///   state ─┬─ \.heading ──── { $0.degrees }          a node per selector, however many subscribers it has
///          ├─ \.location ─┬─ \.latitude
///          │              └─ \.longitude             evaluated only if the location has changed
///          └─ { $0.rows[7] }
/// ```
///
/// Invariants: a node is here as long as it has a subscriber or a node below it; its `position` is its index in `list`;
/// a node is found by the hash of its selector, and then by comparing selectors.
///
/// It belongs to the owner of the aggregator's queue.
@usableFromInline
package struct SelectionBranch: ~Copyable {
  /// Below this number of nodes a search looks at each.
  private static var searchLimit: Int { 16 }

  @usableFromInline var list = SelectionList()
  /// The nodes by hash, once there are many. Those that have the same hash are chained.
  private var found: [Int32: SelectionNode] = [:]

  @usableFromInline
  package init() {}

  @inlinable
  package var isEmpty: Bool { list.count == 0 }

  /// Evaluates all selections from what is above them, notes whose field has changed, and goes on below those.
  @inlinable
  @inline(__always)
  package func update(from root: UnsafeRawPointer, _ round: inout Round, _ access: QueueAccess) {
    var index = 0
    while index < list.count {
      if list.evaluate(at: index, from: root) {
        list.withNode(at: index) { round.noteChange(of: $0, access) }
      }
      index += 1
    }
  }

  /// Evaluates the selection of a row, if it is there.
  ///
  /// - Parameters:
  ///   - hash: the `shortHash` of the selector.
  ///   - isOfRow: tells the selection of the row from others that have the same hash.
  @usableFromInline
  package func update(
    rowWith hash: Int32,
    where isOfRow: (SelectionNode) -> Bool,
    from root: UnsafeRawPointer,
    _ round: inout Round,
    _ access: QueueAccess
  ) {
    guard let node = node(with: hash, where: isOfRow) else { return }
    if list.evaluate(at: Int(node.position.load(ordering: .relaxed)), from: root) { round.noteChange(of: node, access) }
  }

  /// - Parameter hash: the `shortHash` of the selector.
  @usableFromInline
  func node(for id: SelectorID, with hash: Int32) -> SelectionNode? {
    node(with: hash) { $0.id == id }
  }

  private func node(with hash: Int32, where isSought: (SelectionNode) -> Bool) -> SelectionNode? {
    guard list.count < Self.searchLimit else {
      var node = found[hash]
      while let candidate = node, !isSought(candidate) { node = candidate.sameHash }
      return node
    }
    for index in 0..<list.count {
      if let node = list.withNode(at: index, { $0.hash == hash && isSought($0) ? $0 : nil }) { return node }
    }
    return nil
  }

  @usableFromInline
  mutating func add(_ node: SelectionNode, update: @escaping FieldUpdate) {
    node.position.store(Int32(list.count), ordering: .relaxed)
    list.append(ListedSelection(node, field: node.field, update: update))
    if list.count == Self.searchLimit {
      for index in 0..<list.count { insert(list.withNode(at: index) { $0 }) }
    } else if list.count > Self.searchLimit {
      insert(node)
    }
  }

  private mutating func insert(_ node: SelectionNode) {
    node.sameHash = found.updateValue(node, forKey: node.hash)
  }

  /// Takes a node out; the last one moves to its position. No key path is compared, because this runs no user code.
  ///
  /// - Returns: what was taken out, to be released when the queue is free.
  mutating func remove(_ node: SelectionNode) -> LeftSelection {
    let position = Int(node.position.load(ordering: .relaxed))
    assert(list.withNode(at: position) { $0 === node }, "A selection has lost its position in the tree.")
    assert(node.isEmpty, "A selection that has subscribers was removed from the tree.")
    let removed = list.swapRemove(at: position)
    if position < list.count {
      list.withNode(at: position) { $0.position.store(Int32(position), ordering: .relaxed) }
    }
    if list.count < Self.searchLimit {
      if !found.isEmpty { forgetHashes() }
    } else if found[node.hash] === node {
      found[node.hash] = node.sameHash
    } else {
      var before = found[node.hash]
      while let current = before, current.sameHash !== node { before = current.sameHash }
      assert(before != nil, "A selection is not among those of its hash.")
      before?.sameHash = node.sameHash
    }
    node.sameHash = nil
    return LeftSelection(removed)
  }

  /// Takes a selection out that has neither subscribers nor selections below it, and so on upwards. This is the branch
  /// at the top.
  ///
  /// - Parameter garbage: gets what was taken out, to be released when the queue is free.
  @usableFromInline
  package mutating func removeIfIdle(_ node: SelectionNode, _ garbage: inout TreeGarbage, _ access: QueueAccess) {
    var next: SelectionNode? = node
    while let node = next, node.isEmpty, !node.hasSelectionsBelow(access) {
      next = node.parent
      garbage.selections.append(next?.branch(access)?.pointee.remove(node) ?? remove(node))
    }
  }

  private mutating func forgetHashes() {
    found = [:]
    for index in 0..<list.count { list.withNode(at: index) { $0.sameHash = nil } }
  }
}

extension OwnedList where Element == ListedSelection {
  /// Calls `body` with the node at an index below `count`. A branch puts nothing but nodes on its list.
  @inlinable
  @inline(__always)
  func withNode<Result>(at index: Int, _ body: (SelectionNode) -> Result) -> Result {
    withGroup(at: index) { body(unsafeDowncast($0, to: SelectionNode.self)) }
  }
}

extension Round {
  /// Notes a selection whose field has changed, and evaluates what is below it.
  @inlinable
  @inline(__always)
  mutating func noteChange(of node: SelectionNode, _ access: QueueAccess) {
    note(node)
    if let branch = node.branch(access) { goOn(below: node, branch, access) }
  }

  @usableFromInline
  mutating func goOn(
    below node: SelectionNode,
    _ branch: UnsafeMutablePointer<SelectionBranch>,
    _ access: QueueAccess
  ) {
    let root = UnsafeRawPointer(node.field)
    if node.id.isOfRows {
      let rows = root.assumingMemoryBound(to: ObservedRows.self).pointee
      if rows.updateChanged(branch, from: root, &self, access) { return }
    }
    branch.pointee.update(from: root, &self, access)
  }
}

/// A selected field that has subscribers: its value in the snapshot that was evaluated last, the subscribers, and the
/// selections below it.
///
/// Safe to share: as its superclass; the field, the branch and the subscribers belong to the owner of the aggregator's
/// queue.
@usableFromInline
package class SelectionNode: ObserverGroup, @unchecked Sendable {
  // What each change needs stands first, so that it is on few cache lines.
  /// Its index in the branch it belongs to.
  final let position = Atomic<Int32>(0)
  /// The address of the field.
  @usableFromInline final let field: UnsafeMutableRawPointer
  /// The selections below, which most selections do not have; made with the first, and kept with the node.
  @usableFromInline final let madeBranch = Atomic<UnsafeMutablePointer<SelectionBranch>?>(nil)
  @usableFromInline final let id: SelectorID
  /// A part of the hash of the selector.
  final let hash: Int32
  /// The next node of its branch whose selector has the same hash; it belongs to the branch.
  fileprivate(set) final var sameHash: SelectionNode?
  /// It is in the branch of its parent, which stays in the tree as long as that branch is not empty.
  unowned final let parent: SelectionNode?

  @usableFromInline
  init(
    id: SelectorID,
    hash: Int32,
    below parent: SelectionNode?,
    field: UnsafeMutableRawPointer,
    observers: UnsafeMutablePointer<ObserverList>,
    tell: @escaping Tell
  ) {
    self.id = id
    self.hash = hash
    self.parent = parent
    self.field = field
    super.init(observers, tell: tell)
  }

  @inlinable
  deinit {
    guard let branch = madeBranch.load(ordering: .relaxed) else { return }
    branch.deinitialize(count: 1)
    branch.deallocate()
  }

  /// The selections below, if there have been any.
  @inlinable
  @inline(__always)
  final func branch(_ access: QueueAccess) -> UnsafeMutablePointer<SelectionBranch>? {
    access.check()
    return madeBranch.load(ordering: .relaxed)
  }

  /// The branch for a selection below.
  @usableFromInline
  final func branchOrNew(_ access: QueueAccess) -> UnsafeMutablePointer<SelectionBranch> {
    if let branch = branch(access) { return branch }
    let branch = UnsafeMutablePointer<SelectionBranch>.allocate(capacity: 1)
    branch.initialize(to: SelectionBranch())
    madeBranch.store(branch, ordering: .relaxed)
    return branch
  }

  final func hasSelectionsBelow(_ access: QueueAccess) -> Bool {
    branch(access).map { !$0.pointee.isEmpty } ?? false
  }

  /// Is `true` if the node was made for the present subscriber, and so were all nodes above it. Its field has then just
  /// been read from the state.
  @usableFromInline
  final func isNew(_ access: QueueAccess) -> Bool {
    guard isEmpty, !hasSelectionsBelow(access) else { return false }
    var next = parent
    while let node = next {
      guard node.isEmpty, node.branch(access)?.pointee.list.count == 1 else { return false }
      next = node.parent
    }
    return true
  }
}
