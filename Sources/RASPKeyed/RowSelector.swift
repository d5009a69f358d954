import Aggregate

extension StateSelector {
  /// The same read of a row that may not be there: `nil` if it is not.
  @inlinable
  var ofRow: StateSelector<State?, Field?> {
    let areEquivalent = areEquivalent
    let makeReader = makeReader
    return StateSelector<State?, Field?>(
      id: id,
      // The payload of an optional is at its address.
      offset: offset,
      isComparable: isComparable,
      isExact: isExact,
      comparing: { old, new in
        if let old, let new { return areEquivalent(old, new) }
        return old == nil && new == nil
      },
      makeReader: {
        let reader = makeReader()
        return FieldReader(
          read: { row in
            guard row.pointee != nil else { return nil }
            return reader.read(UnsafeRawPointer(row).assumingMemoryBound(to: State.self))
          },
          update: { row, field in
            let old = field.assumingMemoryBound(to: Field?.self)
            guard row.assumingMemoryBound(to: State?.self).pointee != nil else {
              if old.pointee == nil { return false }
              old.pointee = nil
              return true
            }
            // What is written at the address of the payload is a field again.
            if old.pointee != nil { return reader.update(row, field) }
            old.pointee = reader.read(row.assumingMemoryBound(to: State.self))
            return true
          }
        )
      }
    )
  }
}

extension StateSelector where State: AggregateState {
  /// The same read of one row in a recording of many.
  package func inRow<Key>(of key: Key) -> StateSelector<RecordedRows<Key, State>, Field?> {
    let row = StateSelector<RecordedRows<Key, State>, State?>(
      id: .row(SelectorID.RowKey(key)),
      isComparable: false,
      comparing: { _, _ in false }
    ) {
      FieldReader(comparing: { _, _ in false }) { $0.pointee[key] }
    }
    return row.appending(ofRow)
  }
}
