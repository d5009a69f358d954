import RASPPrimitives
import RASPSupport
import Streams

extension StateReference {
  /// Does the same as ``fold(_:_:)`` and puts the event on a tape, in one step for those who read.
  @inlinable
  @inline(__always)
  func fold(
    _ event: State.Event,
    onto tape: UnsafePointer<StateTape<State>>,
    by cause: Cause,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    // Its own field: a method of the tape would be called on a copy of all of it.
    let channel = tape.pointee.channel
    let isTaken = channel?._withUnsafeGuaranteedRef { $0.makeRoom(access) } ?? false
    defer { if isTaken { channel?._withUnsafeGuaranteedRef { $0.wakeIfParked() } } }
    try contents.pointee.folding.fold(event, into: pointer, access) {
      State.Rejection.self == Never.self ? nil : tape.pointee.nextBase()
    } note: { base in
      var base = base
      let tape = contents.pointee.folding.gate.changed(tape)
      let oldest = tape.pointee.append(event, cause, isTaken: isTaken)
      if State.Rejection.self == Never.self {
        if let oldest { tape.pointee.dropOldest(oldest.event) }
      } else if base != nil {
        swap(&base, &tape.pointee.base)
      }
      return (base, oldest)
    }
  }
}
