import Streams

extension Aggregator: Selectable {
  /// Selects a field by a selector that can be kept and reused.
  @inlinable
  @inline(__always)
  public func select<Field: Sendable>(_ selector: StateSelector<State, Field>) -> Selection<Field> {
    let core = core
    return Selection(
      tree: core,
      read: { selector(core.snapshot()) },
      enter: { core.branch.enter(selector, at: core.state.confined, of: core) },
      areEquivalent: selector.areEquivalent
    )
  }
}
