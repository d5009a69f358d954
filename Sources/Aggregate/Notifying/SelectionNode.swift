import RASPSupport
import Streams

/// A selected field that has subscribers: its value in the snapshot that was evaluated last, what reads it anew, the
/// subscribers, and the selections below it.
///
/// Safe to share: as its superclass.
@usableFromInline
package class SelectionNode: ObserverGroup, @unchecked Sendable {
  // What each event needs stands first, so that it is on few cache lines.
  /// Reads the field anew from what is above it, and replaces the old one if it differs.
  @usableFromInline final let update: FieldUpdate
  /// The address of the field.
  @usableFromInline final let field: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline final var branch = SelectionBranch()
  /// The field, if it stands for a collection with keys.
  final let rows: ObservedRows?
  @usableFromInline final let id: SelectorID
  /// A part of the hash of the selector.
  final let hash: Int32
  /// Is `true` if the field was derived from inputs that are equal to the present ones, so that nothing has to be
  /// derived for a newcomer.
  private final let isDerived: Bool
  /// Its index in the branch it belongs to.
  @exclusivity(unchecked) final var position: Int32 = 0
  /// The next node of its branch whose selector has the same hash; it belongs to the branch.
  @exclusivity(unchecked) final var sameHash: SelectionNode?
  /// It is in the branch of its parent, which stays in the tree as long as that branch is not empty.
  @usableFromInline unowned final let parent: SelectionNode?
  /// The node keeps it alive as long as it has a subscriber, or a node below it has one; then the tree gives it up.
  @usableFromInline final let owner: any SelectionNodeOwner

  @usableFromInline
  init(
    id: SelectorID,
    hash: Int32,
    isDerived: Bool,
    below parent: SelectionNode?,
    of owner: any SelectionNodeOwner,
    rows: ObservedRows?,
    field: UnsafeMutableRawPointer,
    update: @escaping FieldUpdate,
    tell: @escaping Tell
  ) {
    self.id = id
    self.hash = hash
    self.isDerived = isDerived && parent == nil
    self.parent = parent
    self.owner = owner
    self.rows = rows
    self.field = field
    self.update = update
    super.init(tell: tell)
  }

  /// Is `true` if the field is that of the present state. It is if the node was made for the present subscriber, and so
  /// were all nodes above it: it has then just been read.
  @usableFromInline
  final func isPresent(_ access: QueueAccess) -> Bool {
    access.check()
    if isDerived { return true }
    guard isEmpty, branch.isEmpty else { return false }
    var next = parent
    while let node = next {
      guard node.isEmpty, node.branch.count == 1 else { return false }
      next = node.parent
    }
    return true
  }
}

/// A selection node, with the type of its field.
///
/// Safe to share: as its superclass.
@usableFromInline
package final class FieldNode<Field: Sendable>: SelectionNode, ObserverSource, @unchecked Sendable {
  @usableFromInline let value: QueueIsolated<Field>

  @inlinable
  init(
    _ use: (field: Field, update: FieldUpdate),
    id: SelectorID,
    hash: Int32,
    isDerived: Bool,
    below parent: SelectionNode?,
    _ owner: any SelectionNodeOwner
  ) {
    value = QueueIsolated(use.field)
    super.init(
      id: id,
      hash: hash,
      isDerived: isDerived,
      below: parent,
      of: owner,
      rows: use.field as? ObservedRows,
      field: UnsafeMutableRawPointer(value.pointer),
      update: use.update
    ) { group, message, position, limit, access in
      let node = unsafeDowncast(group, to: FieldNode.self)
      return node.tell(message, &position, limit) { (observer: Observer<Field, Never>) in
        observer.send(node.value[access])
      }
    }
  }

  /// Takes an observer out, and the node if it was the last one.
  @usableFromInline
  package func remove(_ observer: AnyObject) {
    let observer = unsafeDowncast(observer, to: Observer<Field, Never>.self)
    owner.remove(observer, token: observer.token, from: self)
  }
}

/// The part of an aggregator that a node needs, without the type of the state.
@usableFromInline
package protocol SelectionNodeOwner: AnyObject, Sendable {
  /// Takes an observer out of a node, and the node out of the tree if it has neither subscribers nor nodes below it.
  ///
  /// - Parameter token: that of the observer.
  func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode)

  func report(_ diagnostic: AggregatorDiagnostic)
}

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

extension Round {
  /// Notes a selection whose field has changed, and evaluates what is below it.
  @inlinable
  @inline(__always)
  mutating func noteChange(of node: SelectionNode, _ access: QueueAccess) {
    note(node)
    if !node.branch.isEmpty { goOn(below: node, access) }
  }

  @usableFromInline
  mutating func goOn(below node: SelectionNode, _ access: QueueAccess) {
    if node.rows?.updateChanged(below: node, &self, access) ?? false { return }
    node.branch.update(from: node.field, &self, access)
  }
}

/// What the node of a collection with keys holds in the place of a copy of the collection: a copy would make the next
/// event copy all rows. It finds the rows that have changed, so that only their selections are evaluated.
///
/// Safe to share: it belongs to the owner of the aggregator's queue. The collection is a stored property of what is
/// selected from, which does not move and lives longer than the node.
@usableFromInline
final class ObservedRows: @unchecked Sendable {
  /// Evaluates the selections of the rows that have changed since a content, below a node.
  ///
  /// - Returns: `false` if it is not known which have changed. Then nothing was done.
  @usableFromInline typealias UpdateChanged =
    @Sendable (_ stamp: UInt64, _ node: SelectionNode, _ round: inout Round, _ access: QueueAccess) -> Bool

  @usableFromInline let address: UnsafeRawPointer
  private let update: UpdateChanged
  /// The stamp of the content that the selections were evaluated with last, or are being evaluated with.
  @exclusivity(unchecked) @usableFromInline var stamp: UInt64
  /// That of the present content.
  @exclusivity(unchecked) @usableFromInline var newStamp: UInt64

  @usableFromInline
  init(_ address: UnsafeRawPointer, stamp: UInt64, update: @escaping UpdateChanged) {
    self.address = address
    self.update = update
    self.stamp = stamp
    newStamp = stamp
  }

  /// The collection.
  @inlinable
  @inline(__always)
  func collection<Rows: RowCollection>(of type: Rows.Type) -> UnsafePointer<Rows> {
    address.assumingMemoryBound(to: Rows.self)
  }

  /// Evaluates the selections of the rows that have changed since the last time.
  ///
  /// - Returns: `false` if it is not known which have changed: all are to be evaluated then.
  func updateChanged(below node: SelectionNode, _ round: inout Round, _ access: QueueAccess) -> Bool {
    let before = stamp
    stamp = newStamp
    return update(before, node, &round, access)
  }
}
