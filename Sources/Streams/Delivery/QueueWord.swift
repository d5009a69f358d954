/// Who owns a ``DeliveryQueue``, and whether something waits: the value of one atomic word, and every way from one to
/// another.
///
/// ```
///              enter                     queue
///   ┌──────┐ ────────▶ ┌───────┐ ─────────────────▶ ┌────────────────┐
///   │ idle │           │ owned │                    │ owned, waiting │
///   └──────┘ ◀──────── └───────┘                    └────────────────┘
///       ▲     leave                                    │   │      ▲
///       └──────────────────────────────────────────────┘   │      │ take over
///                   leave the empty line                   ▼      │
///                                    leave the full line ┌─────────┐
///                                                        │ waiting │
///                                                        └─────────┘
///   beside it: closed, from which no way leads back
/// ```
///
/// Each way is a function without effects, which answers `nil` where the way does not exist. ``QueueOwnership`` goes it
/// by one atomic exchange and decides nothing itself. So a test can try every interleaving of several threads.
///
/// Invariants:
/// - One thread at most has set `owned`.
/// - `waiting` is set and cleared under the lock of the line. While it is set, the owner cannot leave without the lock.
/// - While `waiting` is set and `owned` is not, the line is not empty, and a task is on its way that goes on with it.
@usableFromInline
struct QueueWord: Equatable, Sendable {
  @usableFromInline let bits: UInt32

  @inlinable
  init(_ bits: UInt32) { self.bits = bits }

  @inlinable static var idle: QueueWord { QueueWord(0) }
  @inlinable static var owned: QueueWord { QueueWord(1) }
  @inlinable static var waiting: QueueWord { QueueWord(2) }
  @inlinable static var closed: QueueWord { QueueWord(4) }

  @inlinable var isIdle: Bool { !contains(.owned.adding(.waiting)) }

  @inlinable
  func contains(_ other: QueueWord) -> Bool { bits & other.bits != 0 }

  @inlinable
  func adding(_ other: QueueWord) -> QueueWord { QueueWord(bits | other.bits) }

  @inlinable
  func removing(_ other: QueueWord) -> QueueWord { QueueWord(bits & ~other.bits) }

  // MARK: Entering

  /// Enters an idle queue that is open.
  @inlinable
  func entered(closing: Bool) -> QueueWord? {
    self == .idle ? (closing ? .owned.adding(.closed) : .owned) : nil
  }

  /// Enters an idle queue, also if it is closed.
  @inlinable
  func enteredToRun() -> QueueWord? { removing(.closed) == .idle ? adding(.owned) : nil }

  /// What becomes of a thread that has found the queue not idle.
  @usableFromInline
  enum Admission: Sendable {
    /// The queue is closed, or the bound of its line admits nothing.
    case refused
    /// The queue turned out to be idle. The thread owns it, and puts nothing in line.
    case entered
    /// The line had been handed over. The thread owns the queue, puts something at the end of the line, and goes on
    /// with it.
    case tookOver
    /// There is an owner. The thread puts something in line, for which the owner looks before it leaves.
    case queued
  }

  /// Enters the queue, or makes its owner look at the line. The thread holds the lock of the line.
  ///
  /// - Parameters:
  ///   - evenIfClosed: whether a closed queue admits it, too.
  ///   - closing: whether the queue is closed from now on.
  func admitting(evenIfClosed: Bool, closing: Bool) -> (word: QueueWord, admission: Admission) {
    if contains(.closed), !evenIfClosed { return (self, .refused) }
    let next = closing ? adding(.closed) : self
    if contains(.owned) { return (next.adding(.waiting), .queued) }
    return (next.adding(.owned), contains(.waiting) ? .tookOver : .entered)
  }

  // MARK: Leaving

  /// Leaves a queue that is open and in which nothing waits.
  @inlinable
  func left() -> QueueWord? { self == .owned ? .idle : nil }

  /// Leaves a queue in which nothing waits, also if it is closed.
  func leftUnlessWaiting() -> QueueWord? { contains(.waiting) ? nil : removing(.owned) }

  /// Leaves a queue whose line has come to its end. The owner holds the lock of the line.
  func leftEmptyLine() -> QueueWord { removing(.owned).removing(.waiting) }

  /// Leaves a queue before the end of its line. The owner holds the lock of the line.
  func leftFullLine() -> QueueWord? { contains(.waiting) ? removing(.owned) : nil }
}
