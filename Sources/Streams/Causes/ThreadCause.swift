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
  package static var slot: UnsafeMutablePointer<CarriedCause> {
    @inline(__always) get { CauseWords.shared.slot }
  }
}

/// A cause on its way: what waits in a line or for an instant takes it along.
@usableFromInline
package struct CarriedCause: Hashable, Sendable, BitwiseCopyable {
  /// A cause, or one of two marks that are none: their lane is 0.
  @usableFromInline let mark: UInt64

  @inlinable
  init(mark: UInt64) { self.mark = mark }

  @inlinable
  package init(_ cause: Cause) { mark = cause == .unknown ? Self.unknown.mark : cause.rawValue }

  /// Nothing is being delivered.
  @usableFromInline package static var none: CarriedCause { CarriedCause(mark: 0) }

  /// Something is being delivered, and its cause is not known.
  @usableFromInline package static var unknown: CarriedCause { CarriedCause(mark: 1) }

  @inlinable package var isUnknown: Bool { mark <= 1 }

  @inlinable package var cause: Cause { mark <= 1 ? .unknown : Cause(rawValue: mark) }

  /// What is delivered on this thread, for something that will be delivered later.
  ///
  /// - Complexity: O(1). While nothing is recorded, it is one look at a word.
  @inlinable
  @inline(__always)
  package static var current: CarriedCause { ThreadCause.isCarried ? present : .unknown }

  /// What is delivered on this thread, or what this task was given.
  @usableFromInline
  static var present: CarriedCause { ThreadCause.slot.pointee.orOfTask }

  /// This; if nothing is being delivered, what this task was given.
  @inlinable
  package var orOfTask: CarriedCause {
    @inline(__always) get { self == .none ? TaskCause.current : self }
  }

  /// Runs `body` as something that is delivered with this cause.
  @inlinable
  @inline(__always)
  package func deliver<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try deliver(in: ThreadCause.slot, ofTask: CauseWords.shared.causeOfTask, body)
  }

  /// Returns what `body` returns, which starts a task. The task has this as its cause.
  @inlinable
  package func startTask<Result>(_ body: () -> Result) -> Result {
    if self == .unknown, !TaskCause.isBound { return body() }
    TaskCause.noteUse()
    return TaskCause.bind(self, body)
  }

  /// Does the same for a thread whose slot has been found, and a task whose cause has been looked at.
  @inlinable
  @inline(__always)
  package func deliver<Result, Failure: Error>(
    in slot: UnsafeMutablePointer<CarriedCause>,
    ofTask cause: CarriedCause,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = slot.pointee
    slot.pointee = self
    defer { slot.pointee = outer }
    return try cause != .unknown ? TaskCause.bind(self, body) : body()
  }
}
