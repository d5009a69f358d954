import Synchronization

/// Whether other threads may copy what a queue shares although the queue is owned, and which thread the owner is.
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
/// Invariant: between ``claim()`` and ``lend()`` no reader copies.
///
/// It is on cache lines of its own: the owner writes it at every delivery, while threads that send look at the word of
/// the ``QueueOwnership``.
@usableFromInline
struct QueueLoan: ~Copyable {
  /// Is `true` while other threads may copy what is shared although the queue is owned.
  @usableFromInline let isLent = Atomic<Bool>(false)
  /// The readers that found the queue owned.
  @usableFromInline let borrowers = Atomic<UInt32>(0)
  /// The thread that owns the queue.
  @usableFromInline let owner = Atomic<UInt>(CurrentThread.none)

  @usableFromInline
  init() {}

  /// Lets other threads copy what is shared. The owner calls it when it has changed it, before it calls user code.
  @inlinable
  @inline(__always)
  borrowing func lend() {
    isLent.store(true, ordering: .releasing)
  }

  /// Returns when no other thread copies what is shared, and none can begin to. The owner calls it before it changes
  /// it.
  @inlinable
  @inline(__always)
  borrowing func claim() {
    if isLent.load(ordering: .relaxed) { awaitBorrowers() }
  }

  /// Ends the loan, without waiting for those who copy.
  @inlinable
  @inline(__always)
  borrowing func end() {
    isLent.store(false, ordering: .releasing)
  }

  /// Ends the loan, without waiting for those who copy.
  ///
  /// - Returns: whether there was one.
  borrowing func takeBack() -> Bool {
    guard isLent.load(ordering: .relaxed) else { return false }
    end()
    return true
  }

  /// Counts a reader that has found the queue owned.
  ///
  /// - Returns: `false` if the owner has not lent; the reader is not counted then.
  @usableFromInline
  borrowing func beginBorrowing() -> Bool {
    borrowers.add(1, ordering: .acquiringAndReleasing)
    if isLent.load(ordering: .acquiring) { return true }
    endBorrowing()
    return false
  }

  @inlinable
  borrowing func endBorrowing() {
    borrowers.subtract(1, ordering: .releasing)
  }

  /// Waits until no reader copies what the owner has lent.
  ///
  /// A reader counts itself among the borrowers and looks at `isLent` afterwards; this clears `isLent` and looks at the
  /// borrowers afterwards. Both change the count, so one of them comes second and sees what the other has done.
  @usableFromInline
  borrowing func awaitBorrowers() {
    end()
    if borrowers.add(0, ordering: .acquiringAndReleasing).newValue != 0 {
      CurrentThread.wait { borrowers.load(ordering: .acquiring) == 0 }
    }
  }
}
