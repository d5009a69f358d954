import RASPPrimitives
import Streams
import Synchronization

/// The recorders of an engine or a cluster.
///
/// Safe to share: the tape and its use are behind their lock, and the rest is atomic or does not change.
@usableFromInline
package final class OccurrenceRecorders: Sendable {
  private struct Use: Sendable {
    var shared = SharedTape<OccurrenceTape>()
    /// All recordings have one lane, and each goes on with the numbers of the one before.
    var lane: Int?
    var newest = 0
  }

  private let use = Lock(Use())
  @usableFromInline let isRecording = Atomic<Bool>(false)
  /// They live as long as the process, so they are not counted.
  @usableFromInline let words = Unmanaged.passUnretained(CauseWords.shared)

  @usableFromInline
  package init() {}

  /// Puts something on the tape.
  ///
  /// - Parameters:
  ///   - cause: what has brought it about.
  ///   - outcome: how that has ended with it, if it has.
  /// - Returns: its identity, or its cause if nothing is recorded.
  @inlinable
  @inline(__always)
  package func note(
    _ kind: Occurrence.Kind,
    _ subject: @autoclosure () -> any Sendable,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome? = nil
  ) -> CarriedCause {
    isRecording.load(ordering: .acquiring) ? record(kind, subject(), by: cause, ending: outcome) : cause
  }

  @usableFromInline
  func record(
    _ kind: Occurrence.Kind,
    _ subject: any Sendable,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome?
  ) -> CarriedCause {
    tape?.note(kind, subject, by: cause, ending: outcome) ?? cause
  }

  /// `nil` if nothing is recorded.
  private var tape: OccurrenceTape? { use.withLock(\.shared.tape) }

  /// Does the same with something that is caused by what is being delivered.
  @inlinable
  @inline(__always)
  package func note(_ kind: Occurrence.Kind, _ subject: @autoclosure () -> any Sendable) -> CarriedCause {
    note(kind, subject(), by: words._withUnsafeGuaranteedRef { $0.present })
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
    if isRecording.load(ordering: .acquiring) { tape?.noteEnd(of: identity, outcome) }
  }

  /// Begins to record. If that goes on already, the tape is shared, and it keeps its name, length and clock.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    use.withLock { use in
      let (lane, newest) = (use.lane ?? CauseLanes.next(), use.newest)
      use.lane = lane
      isRecording.store(true, ordering: .releasing)
      return use.shared.begin { OccurrenceTape(lane: lane, after: newest, as: name, last: count, clock: clock) }
    }
  }

  /// Ends the use of a tape by one recorder.
  package func end(_ tape: OccurrenceTape) {
    let released = use.withLock { use -> RingBuffer<Occurrence>? in
      guard use.shared.end(tape) else { return nil }
      isRecording.store(false, ordering: .releasing)
      let closed = tape.close()
      use.newest = closed.newest
      return closed.released
    }
    withExtendedLifetime(released) {}
  }
}
