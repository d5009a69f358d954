import RASPSupport
import Streams

extension AggregatorShell {
  /// Folds an event and puts it on a tape, in one step for those who read, and tells the subscribers it concerns; a
  /// refusal is reported and thrown.
  ///
  /// The event has its number before it is folded: whatever the round causes carries it.
  @inlinable
  @inline(never)
  mutating func foldRecorded(
    _ event: State.Event,
    onto tape: StateTape<State>,
    from source: SourceID?,
    _ isSubmitted: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    let state = state
    try tape.events.stamping(access) { stamp throws(State.Rejection) in
      try foldWatched(event, from: source, by: stamp.cause, isSubmitted, access) { () throws(State.Rejection) in
        try state.contents.pointee.folding.fold(event, into: state.pointer, access) { tape.fold(event, stamp) }
      }
    }
  }

  /// Begins to record. A tape that is still there has lost its last recorder.
  mutating func record(onto tape: StateTape<State>) {
    self.tape = tape
    isWatched = true
  }

  /// Ends recording, unless another tape is used by now.
  ///
  /// - Returns: the tape, to be released.
  mutating func endRecording(onto tape: StateTape<State>) -> StateTape<State>? {
    guard self.tape === tape else { return nil }
    isWatched = steps != nil
    return self.tape.take()
  }
}
