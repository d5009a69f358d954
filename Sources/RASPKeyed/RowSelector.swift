import Aggregate
import Streams

extension StateSelector {
  /// The same read of a row that may not be there: `nil` if it is not.
  @inlinable
  package var ofRow: StateSelector<State?, Field?> {
    let (areEquivalent, read, begin) = (comparison.areEquivalent, read, begin)
    let comparison = FieldComparison<Field?>(comparison.kind) { old, new in
      if let old, let new { return areEquivalent(old, new) }
      return old == nil && new == nil
    }
    let readRow: @Sendable (UnsafePointer<State?>) -> Field? = { $0.present().map(read) }
    if let update {
      let update = Self.updateOfRow(update, orBegin: read)
      return StateSelector<State?, Field?>(id: id, comparison: comparison, read: readRow, update: update)
    }
    return StateSelector<State?, Field?>(id: id, comparison: comparison, read: readRow) { row, _ in
      // A use for each life of the row.
      let update = Confined<FieldUpdate?>(nil)
      let beginLife = { @Sendable (state: UnsafePointer<State>) -> Field in
        let use = begin(state, nil)
        update.pointer.pointee = use.update
        return use.field
      }
      return (
        row.present().map(beginLife),
        Self.updateOfRow({ update.pointer.pointee.unsafelyUnwrapped($0, $1) }, orBegin: beginLife)
      )
    }
  }

  /// - Parameters:
  ///   - update: reads the field of a row anew.
  ///   - begin: reads the field of a row that was not there.
  @inlinable
  @inline(__always)
  static func updateOfRow(
    _ update: @escaping FieldUpdate,
    orBegin begin: @escaping @Sendable (UnsafePointer<State>) -> Field
  ) -> FieldUpdate {
    { row, field in
      let old = field.assumingMemoryBound(to: Field?.self)
      guard let state = row.assumingMemoryBound(to: State?.self).present() else {
        if old.pointee == nil { return false }
        old.pointee = nil
        return true
      }
      // What is written at the address of the payload is a field again.
      if old.pointee != nil { return update(row, field) }
      old.pointee = begin(state)
      return true
    }
  }
}

extension UnsafePointer {
  /// The address of what is in an optional, which is that of the optional; `nil` if there is nothing in it.
  @inlinable
  @inline(__always)
  func present<Wrapped>() -> UnsafePointer<Wrapped>? where Pointee == Wrapped? {
    pointee == nil ? nil : UnsafeRawPointer(self).assumingMemoryBound(to: Wrapped.self)
  }
}
