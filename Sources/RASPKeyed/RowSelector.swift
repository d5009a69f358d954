import Aggregate

extension StateSelector {
  /// The same read of a row that may not be there: `nil` if it is not.
  @inlinable
  package var ofRow: StateSelector<State?, Field?> {
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
