import Streams
import Synchronization

/// Whether other threads may copy what a view has found in the rows.
///
/// ```
///   owner:    claim   look at the row   fold   look at the row   lend   notify …
///   readers:          ask the rows      …      ask the rows      copy   copy
/// ```
///
/// A view calls code of the user when it looks at a row, and no reader waits for that. So a reader that may not copy
/// takes a copy of the rows, and finds the answer in them by itself.
///
/// Invariant: between ``claim()`` and ``lend()`` no reader copies. A reader counts itself and looks at `isLent`
/// afterwards; a claim clears `isLent` and looks at the count afterwards. Both change the count, so one of them comes
/// second and sees what the other has done.
@usableFromInline
struct AnswerLoan: ~Copyable, Sendable {
  @usableFromInline let isLent = Atomic<Bool>(false)
  @usableFromInline let borrowers = Atomic<UInt32>(0)

  @usableFromInline
  init() {}

  @inlinable
  @inline(__always)
  borrowing func lend() {
    isLent.store(true, ordering: .releasing)
  }

  /// Returns when no other thread copies, and none can begin to.
  @inlinable
  @inline(__always)
  borrowing func claim() {
    if isLent.load(ordering: .relaxed) { awaitBorrowers() }
  }

  /// Copies for a reader; `nil` if the owner is at work.
  @inlinable
  borrowing func borrow<Copy>(_ copy: () -> Copy?) -> Copy? {
    borrowers.add(1, ordering: .acquiringAndReleasing)
    defer { borrowers.subtract(1, ordering: .releasing) }
    return isLent.load(ordering: .acquiring) ? copy() : nil
  }

  @usableFromInline
  borrowing func awaitBorrowers() {
    isLent.store(false, ordering: .releasing)
    if borrowers.add(0, ordering: .acquiringAndReleasing).newValue != 0 {
      CurrentThread.wait { borrowers.load(ordering: .acquiring) == 0 }
    }
  }
}
