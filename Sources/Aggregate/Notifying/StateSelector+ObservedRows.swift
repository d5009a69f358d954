import RASPSupport
import Streams

extension StateSelector where Field == ObservedRows {
  /// The read of a collection with keys that is a stored property.
  @inlinable
  init<Rows: RowCollection>(observing keyPath: any KeyPath<State, Rows> & Sendable, at offset: Int) {
    let read: @Sendable (UnsafePointer<State>) -> ObservedRows = { state in
      let rows = SharedAddress(state.property(at: offset, as: Rows.self))
      return ObservedRows(rows.pointer, stamp: rows.pointer.pointee.rowStamps.stamp) { stamp, node, round, access in
        rows.pointer.pointee.rowStamps.forEachKey(since: stamp) {
          node.branch.updateRow($0, from: node.field, &round, access)
        }
      }
    }
    self.init(id: .rows(keyPath), comparison: FieldComparison(nil), read: read) { state, _ in
      let observed = read(state)
      return (
        observed,
        { _, _ in
          let stamp = observed.collection(of: Rows.self).pointee.rowStamps.stamp
          defer { observed.newStamp = stamp }
          return stamp != observed.newStamp
        }
      )
    }
  }
}

extension StateSelector where State == ObservedRows {
  /// The read of one row of a collection with keys.
  @inlinable
  init<Rows: RowCollection>(
    rowOf key: Rows.Key,
    in type: Rows.Type,
    _ comparison: FieldComparison<Rows.Row?>
  ) where Field == Rows.Row? {
    let areEquivalent = comparison.areEquivalent
    let read: @Sendable (UnsafePointer<ObservedRows>) -> Rows.Row? = {
      $0.pointee.collection(of: Rows.self).pointee[key]
    }
    self.init(id: .row(SelectorID.RowKey(key), comparison.kind), comparison: comparison, read: read) { rows, _ in
      let rows = rows.pointee
      // The stamp of the content with which the selection was evaluated last, because an event may change a row several
      // times, and a round takes a selection once.
      let evaluated = Confined(rows.stamp)
      return (
        rows.collection(of: Rows.self).pointee[key],
        { _, field in
          if evaluated.pointer.pointee == rows.stamp { return false }
          evaluated.pointer.pointee = rows.stamp
          return field.replaceField(by: rows.collection(of: Rows.self).pointee[key], unless: areEquivalent)
        }
      )
    }
  }
}

extension SelectionNode {
  /// Returns whether this is a selection of the row of a key. All selections below a collection are selections of its
  /// rows, so their keys have one type.
  @inlinable
  @inline(__always)
  final func isOfRow<Key: Hashable & Sendable>(_ key: Key) -> Bool {
    guard case .row(let row, _) = id else { return false }
    return unsafeDowncast(row.key, to: TypedRowKey<Key>.self).key == key
  }
}
