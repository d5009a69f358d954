import Streams
import Synchronization

extension KeyedShell {
  /// Puts what happens to a row on the tape. The table has been claimed.
  ///
  /// - Returns: what is to be released when the table is lent.
  @inlinable
  func append(_ change: Tape.Change, of row: Reference, _ stamp: Tape.Stamp) -> Tape.Garbage? {
    append(change, of: HashedKey(row.pointer.pointee.key, hash: row.pointer.pointee.hash), stamp, before: row)
  }

  /// - Parameter row: the row; `nil` if there is none.
  @inlinable
  func append(
    _ change: Tape.Change,
    of key: HashedKey<Key>,
    _ stamp: Tape.Stamp,
    before row: Reference?
  ) -> Tape.Garbage? {
    guard let tape else { return nil }
    // To keep what falls off, events are folded.
    phase.pointee.store(StateReference<State>.changing, ordering: .relaxed)
    defer { phase.pointee.store(StateReference<State>.settled, ordering: .relaxed) }
    return tape.pointee.append(change, of: key, stamp, before: row?.pointer.pointee.state)
  }

  /// Begins to record. A tape that is still there has lost its last recorder.
  mutating func record(onto cell: KeyedTapeCell<Key, State>, shard: Int) {
    tapeCell = cell
    tape = cell.tapes[shard]
    isWatched = true
  }

  /// Ends recording, unless another tape is used by now.
  ///
  /// - Returns: the tape, to be released.
  mutating func endRecording(onto cell: KeyedTapeCell<Key, State>) -> KeyedTapeCell<Key, State>? {
    guard tapeCell === cell else { return nil }
    tape = nil
    return tapeCell.take()
  }
}
