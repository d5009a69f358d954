import RASPPrimitives
import Streams
import Synchronization

/// The recorders of an engine or a cluster.
///
/// Safe to share: the use of the tape is behind its lock. There is one tape, which is made for the first recorder and
/// is not released before this is: so what happens is put on it without counting a reference. Where it is is atomic.
@usableFromInline
package final class OccurrenceRecorders: Sendable {
  private struct Use: Sendable {
    var present = SharedTape<OccurrenceTape>()
    /// The tape, also while it is not used.
    var kept: OccurrenceTape?
  }

  private let use = Lock(Use())
  @usableFromInline let address = Atomic<Unmanaged<OccurrenceTape>?>(nil)
  /// They live as long as the process, so they are not counted.
  @usableFromInline let words = Unmanaged.passUnretained(CauseWords.shared)

  @usableFromInline
  package init() {}

  /// The tape, which is not released before this is; `nil` if nothing is recorded.
  @inlinable
  package var tape: Unmanaged<OccurrenceTape>? {
    @inline(__always) get { address.load(ordering: .acquiring) }
  }

  /// Puts something on the tape.
  ///
  /// It is inlinable, because code that knows the type of the subject moves it into its place with a few instructions.
  ///
  /// - Parameters:
  ///   - cause: what has brought it about.
  ///   - outcome: how that has ended with it, if it has.
  /// - Returns: its identity, or its cause if nothing is recorded.
  @inlinable
  @inline(__always)
  package func note<Subject: Sendable>(
    _ kind: Occurrence.Kind,
    _ subject: Subject,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome? = nil
  ) -> CarriedCause {
    guard let tape else { return cause }
    let entry = tape._withUnsafeGuaranteedRef { $0.begin(kind, by: cause, ending: outcome) }
    entry.slot?.pointee.subject.put(subject)
    tape._withUnsafeGuaranteedRef { $0.finish() }
    return entry.identity
  }

  /// Does the same with something that is caused by what is being delivered.
  @inlinable
  @inline(__always)
  package func note<Subject: Sendable>(_ kind: Occurrence.Kind, _ subject: Subject) -> CarriedCause {
    note(kind, subject, by: words._withUnsafeGuaranteedRef { $0.present })
  }

  /// Runs `body` as something that is delivered with a cause.
  @inlinable
  @inline(__always)
  package func deliver<Result, Failure: Error>(
    as identity: CarriedCause,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let slot = words._withUnsafeGuaranteedRef { $0.slot }
    return try identity.deliver(in: slot, ofTask: words._withUnsafeGuaranteedRef { $0.causeOfTask }, body)
  }

  /// Notes how an execution or an action has ended.
  package func noteEnd(of identity: CarriedCause, _ outcome: Occurrence.Outcome) {
    tape?._withUnsafeGuaranteedRef { $0.noteEnd(of: identity, outcome) }
  }

  /// Begins to record. If that goes on already, the tape is shared, and it keeps its name, length and clock.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    use.withLock { use in
      let tape = use.kept ?? OccurrenceTape()
      use.kept = tape
      return use.present.begin {
        tape.open(as: name, last: count, clock: clock)
        address.store(.passUnretained(tape), ordering: .releasing)
        return tape
      }
    }
  }

  /// Ends the use of a tape by one recorder.
  package func end(_ tape: OccurrenceTape) {
    let closed = use.withLock { use -> OccurrenceTape.Closed? in
      guard use.present.end(tape) else { return nil }
      address.store(nil, ordering: .releasing)
      return tape.close()
    }
    closed?.deallocate()
  }
}
