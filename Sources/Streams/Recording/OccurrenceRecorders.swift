import Synchronization

/// The one tape of an engine or a cluster, and the number of recorders that use it.
///
/// Safe to share: the use is behind its lock. The tape that is used is atomic, and no tape is released before this is: so
/// what happens is put on it without a lock for the tape and without counting a reference. What is left of a tape that is not
/// used any more is empty.
@usableFromInline
package final class OccurrenceRecorders: Sendable {
  private struct Use: Sendable {
    var tapes: [OccurrenceTape] = []
    /// The number of recorders that use the last tape.
    var recorders = 0
  }

  private let use = Lock(Use())
  private let tape = Atomic<Unmanaged<OccurrenceTape>?>(nil)

  @usableFromInline
  package init() {}

  /// Uses the tape; returns `nil` if nothing is recorded.
  @discardableResult
  package func withTape<Result>(_ body: (OccurrenceTape) -> Result) -> Result? {
    tape.load(ordering: .acquiring)?._withUnsafeGuaranteedRef(body)
  }

  /// Begins to record. If that goes on already, the tape is shared, and it keeps its name, length and clock.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    ThreadCause.addRecorder()
    return use.withLock { use in
      use.recorders += 1
      if use.recorders > 1, let present = use.tapes.last { return present }
      let newcomer = OccurrenceTape(as: name, last: count, clock: clock)
      use.tapes.append(newcomer)
      tape.store(.passUnretained(newcomer), ordering: .releasing)
      return newcomer
    }
  }

  /// Ends the use of a tape by one recorder.
  package func end(_ tape: OccurrenceTape) {
    ThreadCause.removeRecorder()
    let isLast = use.withLock { use in
      guard use.tapes.last === tape, use.recorders > 0 else { return false }
      use.recorders -= 1
      if use.recorders == 0 { self.tape.store(nil, ordering: .releasing) }
      return use.recorders == 0
    }
    if isLast { tape.close() }
  }
}
