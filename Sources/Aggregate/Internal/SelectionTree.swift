import Streams

/// Someone who is about to listen: to what, and what to do.
@usableFromInline
struct Joining: Sendable {
  @usableFromInline let listeners: Listeners
  /// Whether a newcomer is told at once.
  @usableFromInline let startsWithCurrent: Bool
  @usableFromInline let notify: @Sendable () -> Void
  @usableFromInline let finish: @Sendable () -> Void
  /// Called when the listener has been removed. Returns what was taken out of the tree, to be released without a lock.
  @usableFromInline let leave: @Sendable () -> [any Sendable]

  @usableFromInline
  init(
    listeners: Listeners,
    startsWithCurrent: Bool = true,
    notify: @escaping @Sendable () -> Void,
    finish: @escaping @Sendable () -> Void,
    leave: @escaping @Sendable () -> [any Sendable] = { [] }
  ) {
    self.listeners = listeners
    self.startsWithCurrent = startsWithCurrent
    self.notify = notify
    self.finish = finish
    self.leave = leave
  }
}

/// What a selection needs of its aggregator, whatever the type of its state.
@usableFromInline
protocol SelectionTree: AnyObject, Sendable {
  var round: Round { get }

  /// Lets someone listen from now on, as the delivery queue's next job.
  ///
  /// - Parameters:
  ///   - join: called as the owner of the queue.
  ///   - ended: called instead if the aggregator has finished.
  func listen(
    _ lifetime: Lifetime,
    joining join: @escaping @Sendable () -> Joining,
    orEnded ended: @escaping @Sendable () -> Void
  )

  func report(_ diagnostic: AggregatorDiagnostic)
}

extension SelectionTree {
  /// The node of a selector below a state or a field: the one that is there, or a new one. For the owner of the queue.
  @inlinable
  func enter<Root: Sendable, Field: Sendable>(
    _ selector: StateSelector<Root, Field>,
    below branch: SelectionBranch<Root>,
    at root: borrowing Confined<Root>,
    leaveParent: @escaping @Sendable () -> [any Sendable] = { [] }
  ) -> SelectionNode<Field> {
    if let node = branch.node(for: selector.id, of: Field.self) { return node }
    let read = selector.makeRead()
    let field = read(root)
    #if DEBUG
      // Some values differ from themselves: NaN inside a struct, or a comparison that always says no.
      let isSame = selector.areEquivalent
      if selector.isComparable, !isSame(field, read(root)), isSame(field, field) {
        report(.impureSelector(field: "\(Field.self)"))
      }
    #endif
    let node = SelectionNode(field) { branch.remove($0) + leaveParent() }
    let refresh = selector.makeRefresh(read)
    let round = round
    branch.add(node, for: selector.id) { root in
      guard refresh(root, node.field) else { return }
      round.note(node.listeners)
      if !node.branch.isEmpty { node.branch.update(from: node.field) }
    }
    return node
  }
}
