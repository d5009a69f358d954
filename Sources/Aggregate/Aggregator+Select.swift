import Streams

extension Aggregator: Selectable {
  /// The selection of what a selector reads in the state.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func selection<Field: Sendable>(of selector: StateSelector<State, Field>) -> Selection<Field> {
    let core = core
    return Selection(
      owner: core,
      read: { selector(core.snapshot()) },
      enter: { tree, access in
        tree.branch.enter(selector, from: tree.root, below: nil, of: core)
      },
      areEquivalent: selector.areEquivalent
    )
  }
}
