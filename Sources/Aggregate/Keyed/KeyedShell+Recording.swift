import Streams
import Synchronization

extension KeyedShell {
  /// Does the same as ``fold(_:into:_:)`` and puts the event on the tape, in one step for those who read.
  @inlinable
  @inline(__always)
  func fold(
    _ event: State.Event,
    into row: Reference,
    _ stamp: Tape.Stamp,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    try phase.pointee.fold(event, into: row.foldedState, access, prepare: {}) {
      append(.event(event), of: row.key, stamp, before: row, access)
    }
  }

  /// Puts what happens to a row on the tape, if there is one. The table is being changed.
  ///
  /// - Parameters:
  ///   - change: what happens; there with the stamp.
  ///   - row: the row; `nil` if there is none.
  /// - Returns: what is to be released when the table is lent.
  @inlinable
  func append(
    _ change: Tape.Change?,
    of key: @autoclosure () -> HashedKey<Key>,
    _ stamp: Tape.Stamp?,
    before row: Reference?,
    _ access: QueueAccess
  ) -> Tape.Garbage? {
    guard let change, let stamp, let tape else { return nil }
    access.checkChange()
    return tape.pointee.append(change, of: key(), stamp, before: row?.pointer.pointee.state)
  }

  /// Does the same where no event is folded at the same time: to keep what falls off, events are folded.
  @inlinable
  func appendAlone(
    _ change: Tape.Change?,
    of key: @autoclosure () -> HashedKey<Key>,
    _ stamp: Tape.Stamp?,
    before row: Reference?,
    _ access: QueueAccess
  ) -> Tape.Garbage? {
    phase.pointee.mark(FoldPhase.changing) { append(change, of: key(), stamp, before: row, access) }
  }

  /// Begins to record. A tape that is still there has lost its last recorder.
  mutating func record(onto cell: TapeCell<KeyedTape<Key, State>>, shard: Int) {
    tapeCell = cell
    tape = cell.tapes.baseAddress.map { $0 + shard }
    isWatched = true
  }

  /// Ends recording, unless another tape is used by now.
  ///
  /// - Returns: the tape, to be released.
  mutating func endRecording(onto cell: TapeCell<KeyedTape<Key, State>>) -> TapeCell<KeyedTape<Key, State>>? {
    guard tapeCell === cell else { return nil }
    tape = nil
    isWatched = hasStreams
    return tapeCell.take()
  }
}
