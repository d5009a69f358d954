import Streams

/// A selected field that somebody listens to: its value in the snapshot that was last evaluated, its listeners, and the
/// selections below it.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class SelectionNode<Field: Sendable>: Sendable {
  @usableFromInline let field: Confined<Field>
  @usableFromInline let listeners = Listeners()
  @usableFromInline let branch = SelectionBranch<Field>()
  private let leave: @Sendable (SelectionNode) -> [any Sendable]

  @usableFromInline
  init(_ field: Field, leave: @escaping @Sendable (SelectionNode) -> [any Sendable]) {
    self.field = Confined(field)
    self.leave = leave
  }

  /// Leaves the tree if nobody needs this node, and so on upwards.
  ///
  /// - Returns: what was taken out, to be released where no lock is held.
  @usableFromInline
  func leaveIfIdle() -> [any Sendable] {
    listeners.isEmpty && branch.isEmpty ? leave(self) : []
  }
}

/// The selections directly below a state or a field: each is evaluated once per change of what is above it.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class SelectionBranch<Root: Sendable>: Sendable {
  /// Evaluates one selection; if its field changed, notes who listens to it and goes on below.
  @usableFromInline
  typealias Update = @Sendable (borrowing Confined<Root>) -> Void

  private struct Child: Sendable {
    let id: SelectorID
    let hash: Int
    let node: any Sendable & AnyObject
  }

  @usableFromInline let updates = Confined<ContiguousArray<Update>>([])
  private let children = Confined<ContiguousArray<Child>>([])

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { updates.value.isEmpty }

  @inlinable
  @inline(__always)
  func update(from root: borrowing Confined<Root>) {
    for index in updates.value.indices { updates.value[index](root) }
  }

  /// The node of a selector: the one that is there, or a new one.
  ///
  /// - Parameters:
  ///   - root: what the selector reads from.
  ///   - tree: the aggregator, whose rounds learn of changes.
  ///   - leaveParent: called when the node has left.
  @inlinable
  func enter<Field: Sendable>(
    _ selector: StateSelector<Root, Field>,
    at root: borrowing Confined<Root>,
    of tree: any SelectionTree,
    leaveParent: @escaping @Sendable () -> [any Sendable] = { [] }
  ) -> SelectionNode<Field> {
    let id = selector.id
    if let node = node(for: id, of: Field.self) { return node }
    let read = selector.makeRead()
    let field = read(root)
    #if DEBUG
      // Some values differ from themselves: NaN inside a struct, or a comparison that always says no.
      let isSame = selector.areEquivalent
      if selector.isComparable, !isSame(field, read(root)), isSame(field, field) {
        tree.report(.impureSelector(field: "\(Field.self)"))
      }
    #endif
    let node = SelectionNode(field) { self.remove($0) + leaveParent() }
    let refresh = selector.makeRefresh(read)
    let round = tree.round
    add(node, for: id) { root in
      guard refresh(root, node.field) else { return }
      round.note(node.listeners)
      if !node.branch.isEmpty { node.branch.update(from: node.field) }
    }
    return node
  }

  /// The node of a selection that is listened to already.
  ///
  /// Asks the key paths, and they ask the arguments that a user wrote into them; so not to be called under a lock.
  @usableFromInline
  func node<Field: Sendable>(for id: SelectorID, of type: Field.Type) -> SelectionNode<Field>? {
    let hash = id.hashValue
    return children.value.first { $0.hash == hash && $0.id == id }?.node as? SelectionNode<Field>
  }

  @usableFromInline
  func add<Field: Sendable>(_ node: SelectionNode<Field>, for id: SelectorID, update: @escaping Update) {
    children.value.append(Child(id: id, hash: id.hashValue, node: node))
    updates.value.append(update)
  }

  /// Takes a selection out, found by its node: this runs under a lock, where no key path may be compared.
  @usableFromInline
  func remove(_ node: AnyObject) -> [any Sendable] {
    guard let place = children.value.firstIndex(where: { $0.node === node }) else { return [] }
    return [children.value.remove(at: place), updates.value.remove(at: place)]
  }
}
