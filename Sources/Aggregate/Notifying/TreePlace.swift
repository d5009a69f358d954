import RASPSupport
import Streams

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

  fileprivate func change(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Void) {
    queue.run(on: tree.pointer, change)
  }

  fileprivate func changeWithoutDelivering(
    _ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Any?
  ) {
    queue.runWithoutDelivering(on: tree.pointer, change)
  }
}

/// The part of an aggregator that a selection needs, without the type of the state.
@usableFromInline
package protocol SelectionTreeOwner: SelectionNodeOwner {
  var place: TreePlace { get }
}

extension SelectionTreeOwner {
  /// Changes the tree between two deliveries: now, or when the present one is over. The change may call user code.
  @usableFromInline
  func changeTree(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Void) {
    place.change(change)
  }

  /// Takes something out of the tree without delivering anything for others. The change calls no user code.
  package func changeTreeWithoutDelivering(
    _ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Any?
  ) {
    place.changeWithoutDelivering(change)
  }

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
