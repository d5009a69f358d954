import Aggregate
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

  /// Puts what happens to a row on the tape. The table is being changed.
  ///
  /// - Parameter row: the row; `nil` if there is none.
  /// - Returns: what is to be released when the table is lent.
  @inlinable
  func append(
    _ change: Tape.Change,
    of key: HashedKey<Key>,
    _ stamp: Tape.Stamp,
    before row: Reference?,
    _ access: QueueAccess
  ) -> Tape.Garbage? {
    guard let tape else { return nil }
    return access.changed(tape).pointee.append(change, of: key, stamp, before: row?.pointer.pointee.state)
  }

  /// Does the same where no event is folded at the same time: to keep what falls off, events are folded.
  @inlinable
  func appendAlone(
    _ change: Tape.Change,
    of key: HashedKey<Key>,
    _ stamp: Tape.Stamp,
    before row: Reference?,
    _ access: QueueAccess
  ) -> Tape.Garbage? {
    phase.pointee.mark(FoldPhase.changing) { append(change, of: key, stamp, before: row, access) }
  }

  /// Begins to record. A tape that is still there has lost its last recorder.
  mutating func record(onto cell: TapeCell) {
    tapeCell = cell
    tape = cell.tape(of: Tape.self)
    isWatched = true
  }

  /// Ends recording, unless another tape is used by now.
  ///
  /// - Returns: the tape, to be released.
  mutating func endRecording(onto cell: TapeCell) -> TapeCell? {
    guard tapeCell === cell else { return nil }
    tape = nil
    isWatched = hasStreams
    return tapeCell.take()
  }
}
