import Streams

extension Aggregator: Selectable {
  /// Selects a field by a selector that can be kept and reused.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Sendable>(_ selector: StateSelector<State, Field>) -> Selection<Field> {
    let core = core
    return Selection(
      owner: core,
      read: { selector(core.snapshot()) },
      enter: { tree, access in
        tree.branch.enter(selector, from: tree.root, below: nil) { core.report($0) }
      },
      areEquivalent: selector.areEquivalent
    )
  }
}
