import Streams

/// The one tape of something that is recorded, and the number of recorders that use it.
@usableFromInline
package struct SharedTape<Tape: AnyObject & Sendable>: Sendable {
  /// `nil` while nothing is recorded.
  package private(set) var tape: Tape?
  private var recorders = 0
  /// Has causes carried. It goes with what is recorded, also if that is released while it is.
  private(set) var use: CauseUse?

  @usableFromInline package init() {}

  /// Adds a recorder.
  ///
  /// - Parameter make: makes the tape, if nothing is recorded yet.
  package mutating func begin(_ make: () -> Tape) -> Tape {
    recorders += 1
    if use == nil { use = CauseUse() }
    let tape = tape ?? make()
    self.tape = tape
    return tape
  }

  /// Removes a recorder of a tape.
  ///
  /// - Returns: `true` if it was the last one.
  package mutating func end(_ tape: Tape) -> Bool {
    assert(self.tape === tape, "A recorder ends the use of a tape that is not used.")
    recorders -= 1
    if recorders == 0 {
      self.tape = nil
      use = nil
    }
    return recorders == 0
  }
}

/// Something that is recorded, as long as it lives.
final class CauseUse: Sendable {
  init() { ThreadCause.addRecorder() }

  deinit { ThreadCause.removeRecorder() }
}
