import Streams

extension Aggregator: Selectable {
  /// The selection of what a selector reads in the state.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func selection<Field: Sendable>(of selector: StateSelector<State, Field>) -> Selection<Field> {
    core.selection(of: selector)
  }
}

extension AggregatorCore: Selectable {
  @inlinable
  @inline(__always)
  package func selection<Field: Sendable>(of selector: StateSelector<State, Field>) -> Selection<Field> {
    Selection(
      owner: self,
      read: reader(of: selector),
      enter: { tree, access in
        tree.branch.enter(selector, from: tree.root, below: nil, of: self)
      },
      areEquivalent: selector.areEquivalent
    )
  }
}
