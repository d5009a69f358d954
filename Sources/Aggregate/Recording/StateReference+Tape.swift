import RASPSupport
import Streams
import Synchronization

extension StateReference {
  /// Does the same as ``fold(_:_:)`` and puts the event on a tape, in one step for those who read.
  @inlinable
  @inline(__always)
  func fold(
    _ event: State.Event,
    onto tape: UnsafeMutablePointer<StateTape<State>>,
    by cause: Cause,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    access.check()
    assert(contents.pointee.phase.load(ordering: .relaxed) == Self.settled, "An event is folded inside another one.")
    #if DEBUG
      ApplyingThread.begin()
      defer { ApplyingThread.end() }
    #endif
    // Its own field: a method of the tape would be called on a copy of all of it.
    let outlet = tape.pointee.outlet
    let isTaken = outlet?._withUnsafeGuaranteedRef { $0.makeRoom(access) } ?? false
    defer { if isTaken { outlet?._withUnsafeGuaranteedRef { $0.wakeIfParked() } } }
    if State.Rejection.self == Never.self {
      access.claim()
      contents.pointee.phase.store(Self.changing, ordering: .relaxed)
      let oldest = tape.pointee.append(event, cause, isTaken: isTaken)
      if let oldest { tape.pointee.retire(oldest.event) }
      do throws(State.Rejection) { try contents.pointee.state.apply(event) } catch {}
      contents.pointee.phase.store(Self.settled, ordering: .relaxed)
      access.lend()
      withExtendedLifetime(oldest) {}
    } else {
      access.lend()
      var changed: State? = contents.pointee.state
      var refusal: State.Rejection?
      contents.pointee.phase.store(Self.applying, ordering: .relaxed)
      var base = tape.pointee.nextBase()
      do throws(State.Rejection) {
        try changed?.apply(event)
      } catch {
        changed = nil
        refusal = error
      }
      contents.pointee.phase.store(Self.settled, ordering: .relaxed)
      access.claim()
      let oldest = tape.pointee.append(event, cause, isTaken: isTaken)
      if base != nil { swap(&base, &tape.pointee.base) }
      if let new = changed {
        changed = contents.pointee.state
        contents.pointee.state = new
      }
      access.lend()
      // What was there is released here, where other threads may read.
      withExtendedLifetime((changed, base, oldest)) {}
      if let refusal { throw refusal }
    }
  }
}
