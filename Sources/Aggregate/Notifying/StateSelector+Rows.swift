import RASPPrimitives
import Streams

extension StateSelector where Field == ObservedRows {
  /// The read of a collection with keys that is a stored property.
  @inlinable
  init<Rows: RowCollection>(observing keyPath: any KeyPath<State, Rows> & Sendable, at offset: Int) {
    self.init(id: .rows(keyPath), offset: offset, isComparable: false, comparing: { _, _ in false }) {
      FieldReader(
        read: { state in
          let rows = state.property(at: offset, as: Rows.self)
          return ObservedRows(rows, stamp: rows.pointee.rowStamps.stamp) {
            observed,
            stamp,
            root,
            branch,
            round,
            access in
            let branch = branch.assumingMemoryBound(to: SelectionBranch.self)
            return observed.collection(of: Rows.self).pointee.rowStamps.forEachKey(since: stamp) { key in
              branch.pointee.update(
                rowWith: Int32(truncatingIfNeeded: key.hashValue),
                where: { $0.isOfRow(key) },
                from: root,
                &round,
                access
              )
            }
          }
        },
        update: { state, field in
          let stamp = state.advanced(by: offset).assumingMemoryBound(to: Rows.self).pointee.rowStamps.stamp
          return field.assumingMemoryBound(to: ObservedRows.self).pointee.notice(stamp)
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
    by areEquivalent: @escaping @Sendable (Rows.Row?, Rows.Row?) -> Bool
  ) where Field == Rows.Row? {
    self.init(id: .row(SelectorID.RowKey(key)), isComparable: true, comparing: areEquivalent) {
      // The stamp of the content with which the selection was evaluated last, because an event may change a row several
      // times, and a round takes a selection once.
      let evaluated = Confined<UInt64>(0)
      return FieldReader(
        read: { $0.pointee.collection(of: Rows.self).pointee[key] },
        update: { rows, field in
          let rows = rows.assumingMemoryBound(to: ObservedRows.self).pointee
          let stamp = rows.stamp
          if evaluated.withValue({ $0 == stamp }) { return false }
          evaluated.withValue { $0 = stamp }
          let new = rows.collection(of: Rows.self).pointee[key]
          let field = field.assumingMemoryBound(to: Field.self)
          if areEquivalent(field.pointee, new) { return false }
          field.pointee = new
          return true
        }
      )
    }
  }
}

extension SelectionNode {
  /// Returns whether this is the selection of the row of a key. All selections below a collection are selections of its
  /// rows, so their keys have one type.
  @inlinable
  @inline(__always)
  final func isOfRow<Key: Hashable & Sendable>(_ key: Key) -> Bool {
    guard case .row(let row) = id else { return false }
    return unsafeDowncast(row.key, to: TypedRowKey<Key>.self).key == key
  }
}
