import RASPPrimitives
import Synchronization

/// The ownership of a ``DeliveryQueue``: one atomic ``QueueWord``, and the number of those who read what it shares.
///
/// A queue may share something that other threads copy, see ``QueueLoan``. Readers count themselves in the word, and
/// the exchange that enters an idle queue fails while there are readers. So the usual delivery pays nothing for them.
///
/// Invariants, beside those of the word:
/// - While the queue is idle, `isLent` is false. A thread that takes a queue which has readers waits for
///   the readers first.
/// - A reader that copies is counted in the word, and among the borrowers unless the queue was idle when it came.
/// - While the queue is owned and `isLent` is false, no reader copies: it becomes false by a claim, which waits for the
///   borrowers, or when the owner leaves; if the owner cannot leave, it lends again.
///
/// Safe to share: everything in it is atomic. It is a class that only ``DeliveryQueue`` inherits from, so that code
/// which does not depend on the type of the values is compiled once.
@usableFromInline
package class QueueOwnership: @unchecked Sendable {
  /// The number of readers is above the bits of the ``QueueWord``.
  @usableFromInline static var reader: UInt32 { 256 }
  @usableFromInline static var readers: UInt32 { ~255 }

  @usableFromInline final let word = Atomic<UInt32>(0)
  /// On cache lines of its own. `nil` in a release build if nothing is shared: nothing reads it then.
  @usableFromInline final let loan: UnsafeMutablePointer<QueueLoan>?
  /// Whether the queue shares something.
  @usableFromInline final let isShared: Bool
  /// What waits: a ``DeliveryLine``, which the queue keeps and knows nothing of. `nil` until something has to wait for
  /// the first time.
  final let line = Atomic<Unmanaged<AnyObject>?>(nil)

  /// What the line has to know of the values.
  final let values: ValueOperations
  /// The bound of the line.
  final let policy: BufferingPolicy

  /// - Parameters:
  ///   - isShared: whether the queue shares something.
  ///   - values: what the line has to know of the values.
  ///   - policy: the bound of the line.
  ///   - onAlarm: gets what the line reports, if something is shared.
  @usableFromInline
  init(
    isShared: Bool,
    _ values: ValueOperations,
    buffering policy: BufferingPolicy,
    onAlarm: (@Sendable (LineAlarm) -> Void)?
  ) {
    self.isShared = isShared
    self.values = values
    self.policy = policy
    assert(isShared || onAlarm == nil, "A queue that shares nothing has no place for what gets its reports.")
    #if DEBUG
      loan = CacheLine.allocate(QueueLoan(onAlarm))
    #else
      loan = isShared ? CacheLine.allocate(QueueLoan(onAlarm)) : nil
    #endif
  }

  deinit {
    line.load(ordering: .acquiring)?.release()
    if let loan { CacheLine.deallocate(loan) }
  }

  final func raise(_ alarm: LineAlarm) { loan?.pointee.onAlarm?(alarm) }

  /// What the owner writes, where something is shared, or in a debug build.
  @inlinable
  final var present: UnsafeMutablePointer<QueueLoan> {
    @inline(__always) get {
      assert(loan != nil, "A queue that shares nothing was asked for what it has lent.")
      return loan.unsafelyUnwrapped
    }
  }

  /// Is `true` until the queue is closed. Values are accepted until then.
  @inlinable
  final var isOpen: Bool { !QueueWord(word.load(ordering: .acquiring)).contains(.closed) }

  /// Is `true` if nothing is being delivered and nothing waits: all that was accepted before has been delivered.
  @inlinable
  package final var isIdle: Bool { !QueueWord(word.load(ordering: .acquiring)).contains(.owned.adding(.waiting)) }

  /// Is `true` if this thread is the owner. It is known only where something is shared, or in a debug build.
  @inlinable
  package final var isOwnedByThisThread: Bool { present.pointee.owner.load(ordering: .relaxed) == CurrentThread.id }

  // MARK: Owning

  /// Makes the caller the owner of an idle queue.
  ///
  /// - Parameter isShared: whether the queue shares something.
  @inlinable
  @inline(__always)
  final func enter(isShared: Bool, closing: Bool = false) -> Bool {
    // Looked at first: an exchange that fails still takes the cache line exclusively, away from the processor that
    // delivers.
    let idle = QueueWord(word.load(ordering: .relaxed))
    guard
      let entered = idle.entered(closing: closing),
      word.compareExchange(expected: idle.bits, desired: entered.bits, ordering: .acquiring).exchanged
    else { return false }
    noteOwner(isShared: isShared)
    return true
  }

  /// Makes the caller the owner of an idle queue, also if it is closed, to run a job.
  @usableFromInline
  final func enterToRun() -> Bool {
    guard exchange({ $0.enteredToRun() }) else { return false }
    noteOwner()
    return true
  }

  /// Gives up the queue.
  ///
  /// - Returns: `false` if something waits, a thread reads, or the queue is closed. The caller is still the owner then,
  ///   and must lend what is shared again: a thread may still copy it, so it has to be claimed before the next change.
  @inlinable
  @inline(__always)
  final func leave(isShared: Bool) -> Bool {
    if isShared { present.pointee.loan.end() }
    forgetOwner(isShared: isShared)
    let owned = QueueWord.owned
    guard let idle = owned.left() else { return false }
    return word.compareExchange(expected: owned.bits, desired: idle.bits, ordering: .releasing).exchanged
  }

  /// Gives up a queue, also if it is closed or a thread reads, unless something waits.
  @usableFromInline
  final func leaveUnlessWaiting() -> Bool {
    let wasLent = loan?.pointee.loan.takeBack() ?? false
    forgetOwner()
    if exchange({ $0.leftUnlessWaiting() }) { return true }
    noteOwner()
    // A thread may still copy, so the next change has to claim it.
    if wasLent { present.pointee.loan.lend() }
    return false
  }

  /// Goes a way of the word by an atomic exchange.
  ///
  /// - Returns: `false` if the way does not exist.
  @inline(__always)
  final func exchange(_ way: (QueueWord) -> QueueWord?) -> Bool {
    var current = QueueWord(word.load(ordering: .relaxed))
    while let next = way(current) {
      let (exchanged, original) = word.compareExchange(
        expected: current.bits,
        desired: next.bits,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return true }
      current = QueueWord(original)
    }
    return false
  }

  // MARK: Checking

  @inlinable
  @inline(__always)
  final func noteOwner(isShared: Bool) {
    #if DEBUG
      let previous = present.pointee.owner.exchange(CurrentThread.id, ordering: .relaxed)
      assert(previous == CurrentThread.none || previous == CurrentThread.id, "Two threads own one delivery queue.")
    #else
      if isShared { present.pointee.owner.store(CurrentThread.id, ordering: .relaxed) }
    #endif
  }

  @inlinable
  @inline(__always)
  final func forgetOwner(isShared: Bool) {
    #if DEBUG
      checkOwner()
      present.pointee.owner.store(CurrentThread.none, ordering: .relaxed)
    #else
      if isShared { present.pointee.owner.store(CurrentThread.none, ordering: .relaxed) }
    #endif
  }

  @usableFromInline
  final func noteOwner() { noteOwner(isShared: loan != nil) }

  @usableFromInline
  final func forgetOwner() { forgetOwner(isShared: loan != nil) }

  #if DEBUG
    @usableFromInline
    final func checkOwner() {
      assert(isOwnedByThisThread, "What a delivery queue protects was used by a thread that does not own the queue.")
    }

    @usableFromInline
    final func checkChange() {
      assert(!present.pointee.loan.isLent.load(ordering: .relaxed), "What other threads may copy was changed.")
    }
  #endif
}

/// What a queue that shares something has for its readers: what is lent, and which thread the owner is.
///
/// A queue may share something that its owner changes in one short stretch of each delivery:
///
/// ```
///   owner:    enter   claim   change   lend   call user code   leave
///   readers:  wait    wait    wait     copy   copy             copy: the queue is idle
/// ```
///
/// The owner lends what is shared before it calls user code, and claims it back before it changes it again. A reader
/// that finds the queue owned counts itself among the borrowers, and copies if the owner has lent; otherwise it
/// withdraws and looks again.
///
/// It is on cache lines of its own: the owner writes it at every delivery, while threads that send look at the word of
/// the ``QueueOwnership``.
@usableFromInline
struct QueueLoan: ~Copyable {
  @usableFromInline let loan = Loan()
  /// The thread that owns the queue.
  @usableFromInline let owner = Atomic<UInt>(CurrentThread.none)
  /// Gets what the line reports, on the thread that has sent. It is here, where a queue of an aggregator has room.
  let onAlarm: (@Sendable (LineAlarm) -> Void)?

  init(_ onAlarm: (@Sendable (LineAlarm) -> Void)?) {
    self.onAlarm = onAlarm
  }
}

/// What a line of waiting values reports by itself: it grows, or refuses.
///
/// It is reported seldom: at the first time, and then whenever the number has doubled.
@usableFromInline
package enum LineAlarm: Sendable {
  /// So many items wait.
  case grown(Int)

  /// The bound has refused so many values so far.
  case refused(Int)

  /// The number of items at which the growth of a line is reported first.
  static var firstCount: Int { 65_536 }

  /// Whether so many refused values are reported: one, and each time the number has doubled.
  static func isReported(_ count: Int) -> Bool { count & (count - 1) == 0 }
}

/// Tells once that so much waits in a place without a bound as a line reports first.
package struct GrowthAlarm: ~Copyable, Sendable {
  private let hasRung = Atomic<Bool>(false)

  package init() {}

  /// Returns `true` the first time that so much waits.
  package func rings(at count: Int) -> Bool {
    count >= LineAlarm.firstCount && !hasRung.exchange(true, ordering: .relaxed)
  }
}
