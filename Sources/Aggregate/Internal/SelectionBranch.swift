import Streams

/// The selections directly below a state or a field: each is evaluated once per change of what is above it.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class SelectionBranch<Root: Sendable>: Sendable {
  /// One selection: the node, and how it is evaluated.
  ///
  /// A class whose closure never changes, so that calling it retains nothing.
  @usableFromInline
  final class Child: Sendable {
    let id: SelectorID
    let hash: Int
    let node: any Sendable & AnyObject
    let place = Confined(0)
    /// Evaluates the selection; if its field changed, notes who listens to it and goes on below.
    @usableFromInline let update: @Sendable (borrowing Confined<Root>) -> Void

    init(
      id: SelectorID,
      node: any Sendable & AnyObject,
      update: @escaping @Sendable (borrowing Confined<Root>) -> Void
    ) {
      self.id = id
      hash = id.hashValue
      self.node = node
      self.update = update
    }
  }

  @usableFromInline let children = Confined(ObjectList<Child>())
  /// By hash, so that many selections below one field are found without comparing each.
  private let places = Confined<[Int: [Child]]>([:])

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { children.value.isEmpty }

  @inlinable
  @inline(__always)
  func update(from root: borrowing Confined<Root>) {
    var index = 0
    let count = children.value.count
    while index < count {
      children.value.withObject(at: index) { $0.update(root) }
      index += 1
    }
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
    let node = SelectionNode(field)
    let child = add(node, for: id, update: selector.makeUpdate(read, node, tree.round))
    node.leave.value = { self.remove(child) + leaveParent() }
    return node
  }

  /// The node of a selection that is listened to already.
  ///
  /// Asks the key paths, and they ask the arguments that a user wrote into them; so not to be called under a lock.
  @usableFromInline
  func node<Field: Sendable>(for id: SelectorID, of type: Field.Type) -> SelectionNode<Field>? {
    places.value[id.hashValue]?.first { $0.id == id }?.node as? SelectionNode<Field>
  }

  /// Adds a node; its place is found again by the node's token alone.
  @usableFromInline
  func add<Field: Sendable>(
    _ node: SelectionNode<Field>,
    for id: SelectorID,
    update: @escaping @Sendable (borrowing Confined<Root>) -> Void
  ) -> Child {
    let child = Child(id: id, node: node, update: update)
    child.place.value = children.value.count
    places.value[child.hash, default: []].append(child)
    children.value.append(child)
    return child
  }

  /// Takes a selection out; the last one fills its place. This runs under a lock, where no key path may be compared.
  ///
  /// - Returns: what was taken out, to be released where no lock is held.
  @usableFromInline
  func remove(_ child: Child) -> [any Sendable] {
    let place = child.place.value
    guard place < children.value.count, children.value[place] === child else { return [] }
    let removed = children.value.swapRemove(at: place)
    if place < children.value.count { children.value[place].place.value = place }
    places.value[child.hash]?.removeAll { $0 === child }
    if places.value[child.hash]?.isEmpty == true { places.value[child.hash] = nil }
    return [removed]
  }
}
