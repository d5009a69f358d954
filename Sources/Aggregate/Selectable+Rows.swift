import Streams

extension Selectable {
  /// Selects a row of a collection with keys: a ``Keyed``. Subscribers get the row when it differs from what they
  /// got last, and `nil` while there is none.
  ///
  ///     let token = fleet.select(\.boats, key: id).subscribe { boat in … }
  ///     let depth = fleet.select(\.boats, key: id).select(\.?.depth)
  ///
  /// - Parameters:
  ///   - keyPath: leads to the collection: a stored property, or one of a stored property.
  ///   - key: tells which row.
  /// - Complexity: an event costs the selections of the rows that it changes, whatever the number of rows is that are
  ///   selected. If the key path leads through a computed property or an optional, each selection is evaluated at each
  ///   event.
  @inlinable
  public func select<Rows: RowCollection>(
    _ keyPath: any KeyPath<Root, Rows> & Sendable,
    key: Rows.Key
  ) -> Selection<Rows.Row?> where Rows.Row: Equatable {
    row(of: key, in: keyPath, .equality)
  }

  /// Selects a row that cannot be compared. Subscribers get it at every event that changes it.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the collection: a stored property, or one of a stored property.
  ///   - key: tells which row.
  /// - Complexity: as for a row that can be compared.
  @inlinable
  @_disfavoredOverload
  public func select<Rows: RowCollection>(
    _ keyPath: any KeyPath<Root, Rows> & Sendable,
    key: Rows.Key
  ) -> Selection<Rows.Row?> {
    row(of: key, in: keyPath, FieldComparison(nil))
  }

  @inlinable
  package func row<Rows: RowCollection>(
    of key: Rows.Key,
    in keyPath: any KeyPath<Root, Rows> & Sendable,
    _ comparison: FieldComparison<Rows.Row?>
  ) -> Selection<Rows.Row?> {
    guard let offset = MemoryLayout<Root>.offset(of: keyPath) else {
      let id = SelectorID.unique(SelectorID.Token())
      return selection(of: StateSelector(id: id, comparison: comparison, read: { $0.pointee[keyPath: keyPath][key] }))
    }
    let collection = selection(of: StateSelector<Root, Rows>(keyPath, by: nil))
    let observed = selection(of: StateSelector(observing: keyPath, at: offset))
    let row = StateSelector<ObservedRows, Rows.Row?>(rowOf: key, in: Rows.self, comparison)
    return Selection(
      owner: observed.owner,
      read: { collection.current[key] },
      enter: observed.selection(of: row).enter,
      areEquivalent: comparison.areEquivalent
    )
  }
}
