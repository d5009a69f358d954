import Streams

/// What is told of each event of an aggregator, or of each step of its rows, while it is folded. It is all that the
/// core knows of what records it.
///
/// The two closures are made where the type of the state is known, so that they are specialised. As long as it lives,
/// causes are carried.
@usableFromInline
package final class RecordingHook<Item, Garbage>: Sendable {
  /// Gets what brings an event about, before it is folded, and returns its identity.
  @usableFromInline package typealias Number = @Sendable (QueueAccess, Cause) -> CarriedCause
  /// Takes what is folded now, while no other thread reads, and returns what is released when others may read again.
  @usableFromInline package typealias Note = @Sendable (Item) -> Garbage

  @usableFromInline let recorder: any AnyObject & Sendable
  @usableFromInline let number: Number
  @usableFromInline package let note: Note
  /// They live as long as the process, so they are not counted.
  @usableFromInline let words = Unmanaged.passUnretained(CauseWords.shared)

  @inlinable
  package init(_ recorder: any AnyObject & Sendable, number: @escaping Number, note: @escaping Note) {
    self.recorder = recorder
    self.number = number
    self.note = note
    ThreadCause.addRecorder()
  }

  /// What records. The code that has made the hook knows its type.
  package func recorder<Recorder: AnyObject>(as type: Recorder.Type) -> Recorder { unsafeDowncast(recorder, to: type) }

  deinit { ThreadCause.removeRecorder() }

  /// Gives an event its number, and runs `body`, which folds it and tells of it: whatever that sends is caused by the
  /// event.
  ///
  /// - Parameters:
  ///   - hook: is kept alive by its caller: it is not counted for each event.
  ///   - body: gets what brings the event about.
  @inlinable
  @inline(__always)
  package static func numbering<Failure: Error>(
    by hook: Unmanaged<RecordingHook>,
    _ access: QueueAccess,
    _ body: (Cause) throws(Failure) -> Void
  ) throws(Failure) {
    let words = hook._withUnsafeGuaranteedRef { $0.words }
    let slot = words._withUnsafeGuaranteedRef { $0.slot }
    let ofTask = words._withUnsafeGuaranteedRef { $0.causeOfTask }
    let cause = (ofTask == .none ? slot.pointee : ofTask).cause
    let identity = hook._withUnsafeGuaranteedRef { $0.number(access, cause) }
    try identity.deliver(in: slot, ofTask: ofTask) { () throws(Failure) in try body(cause) }
  }
}
