public import Aggregate
public import Streams

extension Selectable {
  /// What has changed of some rows of a collection with keys since the last look: for a reader that is slower than the
  /// events. A row that is not there has the value `nil`.
  ///
  ///     for await changes in fleet.newest(of: ids, in: \.boats, { $0.depth }) { … }
  ///
  /// - Parameters:
  ///   - keys: the keys of the rows.
  ///   - keyPath: leads to the collection, as in `select(_:key:)`.
  ///   - field: reads what is of interest of a row.
  /// - Complexity: see ``NewestByKey``.
  @inlinable
  public func newest<Rows: RowCollection, Field: Equatable & Sendable>(
    of keys: some Sequence<Rows.Key>,
    in keyPath: any KeyPath<Root, Rows> & Sendable,
    _ field: @escaping @Sendable (Rows.Row) -> Field
  ) -> NewestByKey<Rows.Key, Field?> {
    NewestByKey(
      keys.map { key in
        (key: key, stream: row(of: key, in: keyPath, FieldComparison(nil)).select { $0.map(field) }.observable)
      }
    )
  }
}
