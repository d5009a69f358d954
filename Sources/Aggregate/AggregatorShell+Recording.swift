import RASPSupport
import Streams

extension AggregatorShell {
  /// Folds an event onto a tape, and tells the subscribers it concerns; a refusal is reported and thrown.
  ///
  /// The event has its number before it is folded: whatever the round causes carries it.
  @inlinable
  @inline(never)
  mutating func foldRecorded(
    _ event: State.Event,
    onto tape: UnsafePointer<StateTape<State>>,
    from source: SourceID?,
    _ isSubmitted: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    let slot = tape.pointee.words._withUnsafeGuaranteedRef { $0.slot }
    let ofTask = tape.pointee.words._withUnsafeGuaranteedRef { $0.causeOfTask }
    if steps != nil || ofTask != .none {
      return try foldRecorded(event, onto: tape, from: source, isSubmitted, access, in: slot, ofTask: ofTask)
    }
    // The same as below, without closures.
    let outer = slot.pointee
    slot.pointee = tape.pointee.events.next
    defer { slot.pointee = outer }
    do throws(State.Rejection) {
      try state.fold(event, onto: tape, by: outer.cause, access)
    } catch {
      refuse(event, error, isSubmitted: isSubmitted)
      throw error
    }
    tree.branch.update(from: tree.root, &tree.round, access)
    tree.round.notify(access)
  }

  /// Does the same where there are streams, or where the task has a cause.
  @inlinable
  @inline(never)
  mutating func foldRecorded(
    _ event: State.Event,
    onto tape: UnsafePointer<StateTape<State>>,
    from source: SourceID?,
    _ isSubmitted: Bool,
    _ access: QueueAccess,
    in slot: UnsafeMutablePointer<CarriedCause>,
    ofTask: CarriedCause
  ) throws(State.Rejection) {
    let state = state
    let cause = (ofTask == .none ? slot.pointee : ofTask).cause
    try tape.pointee.events.next.deliver(in: slot, ofTask: ofTask) { () throws(State.Rejection) in
      try foldWatched(event, from: source, by: cause, isSubmitted, access) { () throws(State.Rejection) in
        try state.fold(event, onto: tape, by: cause, access)
      }
    }
  }
}
