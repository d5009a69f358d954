import RASPSupport
import Streams

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

  /// The nodes, retained.
  @usableFromInline var list = BorrowedList<SelectionNode>()
  /// The nodes by hash, once there have been many. Those that have the same hash are chained.
  private var found: [Int32: SelectionNode] = [:]

  @usableFromInline
  package init() {}

  deinit {
    for index in 0..<count { list.address(at: index).pointee.release() }
  }

  var count: Int { list.count }

  @inlinable
  package var isEmpty: Bool {
    @inline(__always) get { list.count == 0 }
  }

  /// Evaluates all selections from what is above them, notes whose field has changed, and goes on below those.
  @inlinable
  @inline(__always)
  package func update(from root: UnsafeRawPointer, _ round: inout Round, _ access: QueueAccess) {
    var index = 0
    while index < list.count {
      list.withObject(at: index) { node in
        if node.update(root, node.field) { round.noteChange(of: node, access) }
      }
      index += 1
    }
  }

  /// Evaluates the selections of a row.
  @inlinable
  func updateRow<Key: Hashable & Sendable>(
    _ key: Key,
    from root: UnsafeRawPointer,
    _ round: inout Round,
    _ access: QueueAccess
  ) {
    forEachNode(with: Int32(truncatingIfNeeded: key.hashValue)) { node in
      if node.isOfRow(key), node.update(root, node.field) { round.noteChange(of: node, access) }
    }
  }

  /// Calls `body` with the nodes whose selectors have a hash.
  @usableFromInline
  func forEachNode(with hash: Int32, _ body: (SelectionNode) -> Void) {
    if found.isEmpty {
      for index in 0..<count { list.withObject(at: index) { if $0.hash == hash { body($0) } } }
    } else {
      var next = found[hash]
      while let node = next {
        body(node)
        next = node.sameHash
      }
    }
  }

  /// The node of a selector: the one that is there, or a new one.
  ///
  /// Comparing selectors asks the key paths, and they ask the arguments that a user wrote into them. So this runs user
  /// code.
  ///
  /// - Parameters:
  ///   - root: what the selector reads from.
  ///   - parent: whose branch this is; `nil` below the state.
  ///   - owner: of the new node; it gets a mistake that was noticed, too.
  @inlinable
  package mutating func enter<Root: Sendable, Field: Sendable>(
    _ selector: StateSelector<Root, Field>,
    from root: UnsafePointer<Root>,
    below parent: SelectionNode?,
    of owner: any SelectionNodeOwner
  ) -> FieldNode<Field> {
    assert(
      parent.map { UnsafeRawPointer($0.field) == UnsafeRawPointer(root) } ?? true,
      "A selection does not read from its parent's field."
    )
    // Asked once, because key paths take their time for it.
    let hash = selector.id.shortHash
    if let node = node(for: selector.id, with: hash) as? FieldNode<Field> { return node }
    let use = selector.begin(root, nil)
    #if DEBUG
      // Some values differ from themselves: NaN inside a struct, or a comparison that always says no.
      if selector.comparison.kind != .never, !selector.id.isDerived {
        let (areEquivalent, again) = (selector.comparison.areEquivalent, selector.read(root))
        if !areEquivalent(use.field, again), areEquivalent(use.field, use.field), !isSame(use.field, again) {
          owner.report(.impureSelector(field: "\(Field.self)"))
        }
      }
    #endif
    let isDerived = selector.id.isDerived && selector.comparison.kind == .equality
    let node = FieldNode(use, id: selector.id, hash: hash, isDerived: isDerived, below: parent, owner)
    add(node)
    return node
  }

  /// - Parameter hash: the `shortHash` of the selector.
  @usableFromInline
  func node(for id: SelectorID, with hash: Int32) -> SelectionNode? {
    var sought: SelectionNode?
    forEachNode(with: hash) { if sought == nil, $0.id == id { sought = $0 } }
    return sought
  }

  @usableFromInline
  mutating func add(_ node: SelectionNode) {
    node.position = Int32(count)
    list.append(.passRetained(node))
    if !found.isEmpty {
      chain(node)
    } else if count == Self.searchLimit {
      for index in 0..<count { chain(list[index]) }
    }
  }

  private mutating func chain(_ node: SelectionNode) {
    node.sameHash = found.updateValue(node, forKey: node.hash)
  }

  /// Takes a node out; the last one moves to its position. No key path is compared, because this runs no user code.
  mutating func remove(_ node: SelectionNode) {
    let position = Int(node.position)
    assert(list[position] === node, "A selection has lost its position in the tree.")
    assert(node.isEmpty, "A selection that has subscribers was removed from the tree.")
    list.swapRemove(at: position).release()
    if position < count { list[position].position = Int32(position) }
    if found.isEmpty { return }
    if found[node.hash] === node {
      found[node.hash] = node.sameHash
    } else {
      var before = found[node.hash]
      while let current = before, current.sameHash !== node { before = current.sameHash }
      assert(before != nil, "A selection is not among those of its hash.")
      before?.sameHash = node.sameHash
    }
    node.sameHash = nil
  }

  /// Takes a selection out that has neither subscribers nor selections below it, and so on upwards. This is the branch
  /// at the top.
  ///
  /// - Parameter garbage: gets what was taken out, to be released when the queue is free.
  @usableFromInline
  package mutating func removeIfIdle(_ node: SelectionNode, _ garbage: inout TreeGarbage, _ access: QueueAccess) {
    access.check()
    var next: SelectionNode? = node
    while let node = next, node.isEmpty, node.branch.isEmpty {
      garbage.selections.append(node)
      next = node.parent
      if let parent = next { parent.branch.remove(node) } else { remove(node) }
    }
  }
}

/// What was taken out of a tree, to be released when the queue is free: it holds closures of the user.
@usableFromInline
package struct TreeGarbage {
  package var observer: AnyObject?
  var selections: [SelectionNode] = []
  package var owner: AnyObject?

  package init(observer: AnyObject? = nil) {
    self.observer = observer
  }
}
