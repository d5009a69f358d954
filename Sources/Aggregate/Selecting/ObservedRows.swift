/// What the node of a collection with keys holds in the place of a copy of the collection: a copy would make the next event
/// copy all rows. It tells which rows have changed, so that only their selections are evaluated.
///
/// Safe to share: it belongs to the owner of the queue, as the node it is in.
class ObservedRows: @unchecked Sendable {
  /// The selections below that the last change concerns, until they are taken; `nil` for all.
  fileprivate(set) final var changed: [SelectorID]? = []

  /// Takes out the selections to be evaluated; `nil` for all.
  final func takeChanged() -> [SelectorID]? {
    defer { changed = [] }
    return changed
  }
}

/// The same, with the type of the collection.
///
/// Safe to share: as its superclass. The address is that of a stored property of what is selected from, which does not move
/// and lives longer than the node.
private final class ObservedCollection<Rows: RowCollection>: ObservedRows, @unchecked Sendable {
  let address: UnsafePointer<Rows>
  private var stamp: UInt64

  init(_ address: UnsafePointer<Rows>) {
    self.address = address
    stamp = address.pointee.contentStamp
  }

  /// Looks at the collection anew.
  ///
  /// - Returns: whether it has changed.
  func update() -> Bool {
    let newStamp = address.pointee.contentStamp
    guard newStamp != stamp else { return false }
    let keys = address.pointee.changedKeys(since: stamp)
    // A round takes a selection once, and an event may change a row several times.
    changed = keys.map { Set($0).map { .row(SelectorID.RowKey($0)) } }
    stamp = newStamp
    return true
  }
}

extension StateSelector where Field == ObservedRows {
  /// The read of a collection with keys that is a stored property.
  init<Rows: RowCollection>(observing keyPath: any KeyPath<State, Rows> & Sendable, at offset: Int) {
    self.init(id: .rows(keyPath), offset: offset, isComparable: false, comparing: { _, _ in false }) {
      FieldReader(
        read: { ObservedCollection($0.property(at: offset, as: Rows.self)) },
        update: { _, field in
          let rows = field.assumingMemoryBound(to: ObservedRows.self).pointee
          return unsafeDowncast(rows, to: ObservedCollection<Rows>.self).update()
        }
      )
    }
  }
}

extension StateSelector where State == ObservedRows {
  /// The read of one row of a collection with keys.
  init<Rows: RowCollection>(
    rowOf key: Rows.Key,
    in type: Rows.Type,
    by areEquivalent: @escaping @Sendable (Rows.Row?, Rows.Row?) -> Bool
  ) where Field == Rows.Row? {
    self.init(id: .row(SelectorID.RowKey(key)), isComparable: true, comparing: areEquivalent) {
      FieldReader(comparing: areEquivalent) { rows in
        unsafeDowncast(rows.pointee, to: ObservedCollection<Rows>.self).address.pointee[key]
      }
    }
  }
}
