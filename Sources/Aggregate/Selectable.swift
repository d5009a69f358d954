/// A value whose fields can be selected: an aggregator's state, or a selected field.
///
/// ``Aggregator``, ``ScopedAggregator`` and ``Selection`` conform to it. Other types have no use for it.
public protocol Selectable<Root> {
  /// The value that fields are selected from.
  associatedtype Root: Sendable

  /// The selection of what a selector reads. All ways to `select` come to this.
  func selection<Field: Sendable>(of selector: StateSelector<Root, Field>) -> Selection<Field>
}

extension Selectable {
  /// Selects a field by key path. Subscribers get it when it differs from what they got last; a floating-point field
  /// that stays NaN is reported once.
  ///
  ///     let token = geo.select(\.heading).subscribe { render($0) }
  ///     let coarse = geo.select(\.speed) { abs($0 - $1) < 0.5 }
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1). See ``StateSelector`` for what an event costs.
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects a field that cannot be compared. Subscribers get it at every event, unless a comparison is given.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects what a closure reads. Each call makes a selection of its own, so keep a ``StateSelector`` where several
  /// subscribers should share one.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ read: @escaping @Sendable (Root) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(read, by: areEquivalent))
  }

  /// Selects what a closure reads and what cannot be compared. Subscribers get it at every event, unless a comparison
  /// is given.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(
    _ read: @escaping @Sendable (Root) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(read, by: areEquivalent))
  }

  /// Selects by a selector that can be kept and reused.
  ///
  /// - Parameter selector: a ``StateSelector``. The parameter is an existential, because the compiler then says which
  ///   member a misspelt key path does not have, and not that it is no selector.
  /// - Complexity: O(1).
  @inlinable
  public func select<Field: Sendable>(_ selector: any StateReading<Root, Field>) -> Selection<Field> {
    selection(of: selector.selector)
  }
}
