import Synchronization

/// The one tape of an engine or a cluster, and the number of recorders that use it.
///
/// Safe to share: the use is behind its lock, and `isUsed` repeats whether there is one for those who only look.
@usableFromInline
package final class OccurrenceRecorders: Sendable {
  private struct Use: Sendable {
    var tape: OccurrenceTape
    var recorders: Int
  }

  private let use = Lock<Use?>(nil)
  private let isUsed = Atomic<Bool>(false)

  @usableFromInline
  package init() {}

  /// The tape, if what happens is recorded.
  package var tape: OccurrenceTape? {
    isUsed.load(ordering: .acquiring) ? use.withLock { $0?.tape } : nil
  }

  /// Begins to record. If that goes on already, the tape is shared, and it keeps its name, length and clock.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    ThreadCause.addRecorder()
    return use.withLock { use in
      if var present = use {
        present.recorders += 1
        use = present
        return present.tape
      }
      let tape = OccurrenceTape(as: name, last: count, clock: clock)
      use = Use(tape: tape, recorders: 1)
      isUsed.store(true, ordering: .releasing)
      return tape
    }
  }

  /// Ends the use of a tape by one recorder.
  package func end(_ tape: OccurrenceTape) {
    ThreadCause.removeRecorder()
    let released = use.withLock { use -> Use? in
      guard var present = use, present.tape === tape else { return nil }
      present.recorders -= 1
      guard present.recorders == 0 else {
        use = present
        return nil
      }
      defer { use = nil }
      isUsed.store(false, ordering: .releasing)
      return use
    }
    _ = consume released
  }
}
