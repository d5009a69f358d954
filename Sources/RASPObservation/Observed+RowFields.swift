public import Aggregate
public import Observation

// The fields of a row are read without the subscript of `ObservedRow`: its key path, which holds that of the field,
// would be made anew for each read.
extension Observed {
  /// A field of the row that is shown; `nil` while there is no such row. It is tracked for this field alone.
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public subscript<Key, Row, Field>(
    dynamicMember keyPath: KeyPath<Row, Field>, isOfRow: Bool = true
  ) -> Field? where State == ObservedRow<Key, Row> {
    note(fields.trackRecent(keyPath) ?? track(\.[dynamicMember: keyPath], as: keyPath), as: Field?.self)
    return shown.pointee.state?[keyPath: keyPath]
  }

  /// A field of the row that is an optional itself; `nil` while there is no such row, too. It is tracked for this field
  /// alone.
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public subscript<Key, Row, Field>(
    dynamicMember keyPath: KeyPath<Row, Field?>, isOfRow: Bool = true
  ) -> Field? where State == ObservedRow<Key, Row> {
    note(fields.trackRecent(keyPath) ?? track(\.[dynamicMember: keyPath], as: keyPath), as: Field?.self)
    return shown.pointee.state?[keyPath: keyPath]
  }

  /// - Parameters:
  ///   - keyPath: leads from the state to the field.
  ///   - other: leads to it from a part of the state, and is what the field is found by from now on.
  @inlinable
  @inline(never)
  func track<Field>(_ keyPath: KeyPath<State, Field>, as other: AnyKeyPath) -> TrackedField {
    let field = track(keyPath)
    fields.remember(field, for: other)
    return field
  }
}
