import Aggregate
import RASPPrimitives
import Streams
import Synchronization

extension KeyedShell {
  /// Does the same as ``fold(_:into:_:)`` and puts the event on the tape, in one step for those who read.
  @inlinable
  @inline(__always)
  func fold(
    _ event: State.Event,
    into row: Row,
    _ stamp: TapeStamp,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    try store.folding.fold(event, into: row.presentState, access) {
      append(.event(event), of: row.key, stamp, before: row)
    }
  }

  /// Puts what happens to a row on the tape. The rows are being changed.
  ///
  /// - Parameter row: the row; `nil` if there is none.
  /// - Returns: what is to be released in front of the gate.
  @inlinable
  func append(_ change: Tape.Change, of key: Key, _ stamp: TapeStamp, before row: Row?) -> Tape.Garbage? {
    tape?.append(change, of: key, stamp, before: row?.state)
  }

  /// Begins to record. A tape that is still there has lost its last recorder.
  mutating func record(onto tape: Tape) {
    self.tape = tape
    isWatched = true
  }

  /// Ends recording, unless another tape is used by now.
  ///
  /// - Returns: the tape, to be released.
  mutating func endRecording(onto tape: Tape) -> Tape? {
    guard self.tape === tape else { return nil }
    isWatched = hasStreams
    return self.tape.take()
  }
}
