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
  private let leave: @Sendable () -> [any Sendable]

  @usableFromInline
  init(_ field: Field, leave: @escaping @Sendable () -> [any Sendable]) {
    self.field = Confined(field)
    self.leave = leave
  }

  /// Leaves the tree if nobody needs this node, and so on upwards.
  ///
  /// - Returns: what was taken out, to be released where no lock is held.
  @usableFromInline
  func leaveIfIdle() -> [any Sendable] {
    listeners.isEmpty && branch.isEmpty ? leave() : []
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
    let node: any Sendable & AnyObject
  }

  @usableFromInline let updates = Confined<ContiguousArray<Update>>([])
  private let children = Confined<ContiguousArray<Child>>([])
  private let places = Confined<[SelectorID: Int]>([:])

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
      if selector.isComparable, !selector.areEquivalent(field, read(root)) {
        tree.report(.impureSelector(field: "\(Field.self)"))
      }
    #endif
    let node = SelectionNode(field) { self.remove(id) + leaveParent() }
    let refresh = selector.makeRefresh()
    let round = tree.round
    add(node, for: id) { root in
      guard refresh(root, node.field) else { return }
      round.note(node.listeners)
      if !node.branch.isEmpty { node.branch.update(from: node.field) }
    }
    return node
  }

  /// The node of a selection that is listened to already.
  @usableFromInline
  func node<Field: Sendable>(for id: SelectorID, of type: Field.Type) -> SelectionNode<Field>? {
    places.value[id].flatMap { children.value[$0].node as? SelectionNode<Field> }
  }

  @usableFromInline
  func add<Field: Sendable>(_ node: SelectionNode<Field>, for id: SelectorID, update: @escaping Update) {
    places.value[id] = children.value.count
    children.value.append(Child(id: id, node: node))
    updates.value.append(update)
  }

  /// Takes a selection out; the last one fills its place.
  @usableFromInline
  func remove(_ id: SelectorID) -> [any Sendable] {
    guard let place = places.value.removeValue(forKey: id) else { return [] }
    let last = children.value.count - 1
    children.value.swapAt(place, last)
    updates.value.swapAt(place, last)
    if place != last { places.value[children.value[place].id] = place }
    let child = children.value.removeLast()
    let update = updates.value.removeLast()
    return [child.node, update]
  }
}
