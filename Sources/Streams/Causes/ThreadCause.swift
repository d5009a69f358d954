import Synchronization

/// What this thread is delivering, as the causes of what is sent meanwhile.
///
/// ```
///   round of event 7 ──▶ subscriber ──▶ send        the slot of the thread says: event 7
///                                        │ waits in the line of another queue, which takes the 7 along
///                                        ▼
///                     another thread delivers it    its slot says: event 7, as long as that lasts
/// ```
///
/// Each thread has one slot. It says "nothing" unless the thread is inside a delivery. Then it has the identity of what
/// is delivered, or says that it is unknown. Both differ: a thread that delivers nothing runs a task, which may have a
/// cause of its own; a thread that delivers may do so for others, and the cause of its task is not theirs.
///
/// Invariant: a function that sets the slot puts back what was there before it returns.
@usableFromInline
package enum ThreadCause {
  /// Tells the causes that are worth carrying from those that no recorder would ever see.
  private static let recorderCount = Atomic<Int>(0)

  /// Is `true` while something is recorded. What waits takes its cause along then.
  @usableFromInline package static var isCarried: Bool { recorderCount.load(ordering: .relaxed) > 0 }

  /// Counts what records.
  @usableFromInline package static func addRecorder() { recorderCount.add(1, ordering: .relaxed) }

  @usableFromInline package static func removeRecorder() { recorderCount.subtract(1, ordering: .relaxed) }

  /// The slot of this thread.
  ///
  /// The pointer must not be used on another thread, so it must not be kept across an `await`.
  @inlinable
  static var slot: UnsafeMutablePointer<CarriedCause> {
    @inline(__always) get { CauseWords.shared.slot }
  }
}
