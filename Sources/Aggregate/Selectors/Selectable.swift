/// Something whose fields can be selected: an aggregator's state, or a selected field.
///
/// Not for conforming to: ``Aggregator`` and ``Selection`` do, and share these ways to say what to select.
public protocol Selectable<Root> {
  /// What fields are selected from.
  associatedtype Root: Sendable

  /// Selects by a selector that can be kept and reused.
  func select<Field: Sendable>(_ selector: StateSelector<Root, Field>) -> Selection<Field>
}

extension Selectable {
  /// Selects a field by key path. Subscribers hear of it when it differs from what they heard last; a floating-point
  /// field that stays NaN is heard of once.
  ///
  ///     let token = geo.select(\.heading).subscribe { render($0) }
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable
  ) -> Selection<Field> {
    select(StateSelector(keyPath))
  }

  /// Selects a field that cannot be compared. Subscribers hear of it at every event; see ``select(_:by:)-(KeyPath<_,_>,_)``.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(_ keyPath: any KeyPath<Root, Field> & Sendable) -> Selection<Field> {
    select(StateSelector(keyPath))
  }

  /// Selects a field by key path, with a comparison of one's own.
  ///
  /// - Parameter areEquivalent: gets the old and the new field, and says whether subscribers need not hear of it.
  @inlinable
  @inline(__always)
  public func select<Field: Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable,
    by areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) -> Selection<Field> {
    select(StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects what a closure reads. Each call makes a selection of its own, so keep a ``StateSelector`` where several
  /// subscribers should share one.
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ read: @escaping @Sendable (Root) -> Field
  ) -> Selection<Field> {
    select(StateSelector(read))
  }

  /// Selects what a closure reads and what cannot be compared. Subscribers hear of it at every event.
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(_ read: @escaping @Sendable (Root) -> Field) -> Selection<Field> {
    select(StateSelector(read))
  }

  /// Selects what a closure reads, with a comparison of one's own.
  ///
  /// - Parameter areEquivalent: gets the old and the new field, and says whether subscribers need not hear of it.
  @inlinable
  @inline(__always)
  public func select<Field: Sendable>(
    _ read: @escaping @Sendable (Root) -> Field,
    by areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) -> Selection<Field> {
    select(StateSelector(read, by: areEquivalent))
  }
}
