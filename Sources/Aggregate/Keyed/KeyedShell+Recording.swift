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
    if State.Rejection.self == Never.self {
      access.claim()
      let garbage = append(.event(event), of: row, stamp)
      phase.pointee.store(StateReference<State>.changing, ordering: .relaxed)
      do throws(State.Rejection) { _ = try row.pointer.pointee.state?.apply(event) } catch {}
      phase.pointee.store(StateReference<State>.settled, ordering: .relaxed)
      access.lend()
      withExtendedLifetime(garbage) {}
    } else {
      access.lend()
      var changed = row.pointer.pointee.state
      var refusal: State.Rejection?
      phase.pointee.store(StateReference<State>.applying, ordering: .relaxed)
      do throws(State.Rejection) { _ = try changed?.apply(event) } catch { refusal = error }
      phase.pointee.store(StateReference<State>.settled, ordering: .relaxed)
      access.claim()
      let garbage = append(.event(event), of: row, stamp)
      if refusal == nil { swap(&changed, &row.pointer.pointee.state) }
      access.lend()
      // What was there is released here, where other threads may read.
      withExtendedLifetime((changed, garbage)) {}
      if let refusal { throw refusal }
    }
  }

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
