import Streams
import Synchronization

/// What records the occurrences of an engine or a cluster.
package protocol OccurrenceRecorder: AnyObject, Sendable {
  /// Puts something on record.
  ///
  /// - Parameters:
  ///   - cause: what has brought it about.
  ///   - outcome: how that has ended with it, if it has.
  /// - Returns: its identity; its cause if the recording has ended.
  func note(
    _ kind: Occurrence.Kind,
    _ subject: any Sendable,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome?
  ) -> CarriedCause

  /// Notes how an execution or an action has ended.
  func noteEnd(of identity: CarriedCause, _ outcome: Occurrence.Outcome)
}

/// What is told of each execution, event and action of an engine or a cluster: all that they know of what records them.
///
/// Safe to share: the recorder is behind its lock, and the rest is atomic or does not change.
@usableFromInline
package final class OccurrenceHook: Sendable {
  /// The recorder, also when it has ended: the next one goes on with its numbers.
  package let recorder = Lock<(any OccurrenceRecorder)?>(nil)
  @usableFromInline package let isRecording = Atomic<Bool>(false)
  /// They live as long as the process, so they are not counted.
  @usableFromInline let words = Unmanaged.passUnretained(CauseWords.shared)

  @usableFromInline
  package init() {}

  /// Has something recorded.
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
    current?.note(kind, subject, by: cause, ending: outcome) ?? cause
  }

  private var current: (any OccurrenceRecorder)? { recorder.withLock(\.self) }

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
    if isRecording.load(ordering: .acquiring) { current?.noteEnd(of: identity, outcome) }
  }
}
