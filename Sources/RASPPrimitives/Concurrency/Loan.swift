import Synchronization

/// Whether other threads may copy what one thread owns, and changes now and then.
///
/// ```
///   owner:    claim   change   lend …
///   readers:  -       -        copy …
/// ```
///
/// Invariant: between ``claim()`` and ``lend()`` no reader copies. A reader counts itself among the borrowers and looks
/// at `isLent` afterwards; a claim clears `isLent` and looks at the borrowers afterwards. Both change the count, so one
/// of them comes second and sees what the other has done.
@usableFromInline
package struct Loan: ~Copyable, Sendable {
  /// Is `true` while other threads may copy.
  @usableFromInline package let isLent = Atomic<Bool>(false)
  /// The readers that look, or copy.
  @usableFromInline let borrowers = Atomic<UInt32>(0)

  @usableFromInline
  package init() {}

  /// Lets other threads copy. The owner calls it when it has made its change, before it calls user code.
  @inlinable
  @inline(__always)
  package borrowing func lend() {
    isLent.store(true, ordering: .releasing)
  }

  /// Returns when no other thread copies, and none can begin to. The owner calls it before it makes a change.
  @inlinable
  @inline(__always)
  package borrowing func claim() {
    if isLent.load(ordering: .relaxed) { awaitBorrowers() }
  }

  /// Ends the loan, without waiting for those who copy.
  @inlinable
  @inline(__always)
  package borrowing func end() {
    isLent.store(false, ordering: .releasing)
  }

  /// Ends the loan, without waiting for those who copy.
  ///
  /// - Returns: whether there was one.
  @usableFromInline
  package borrowing func takeBack() -> Bool {
    guard isLent.load(ordering: .relaxed) else { return false }
    end()
    return true
  }

  /// Copies for a reader; `nil` if the owner has not lent.
  @inlinable
  package borrowing func borrow<Copy>(_ copy: () -> Copy?) -> Copy? {
    guard beginBorrowing() else { return nil }
    defer { endBorrowing() }
    return copy()
  }

  /// Counts a reader.
  ///
  /// - Returns: `false` if the owner has not lent; the reader is not counted then.
  @inlinable
  package borrowing func beginBorrowing() -> Bool {
    borrowers.add(1, ordering: .acquiringAndReleasing)
    if isLent.load(ordering: .acquiring) { return true }
    endBorrowing()
    return false
  }

  @inlinable
  package borrowing func endBorrowing() {
    borrowers.subtract(1, ordering: .releasing)
  }

  @usableFromInline
  borrowing func awaitBorrowers() {
    end()
    if borrowers.add(0, ordering: .acquiringAndReleasing).newValue != 0 {
      CurrentThread.wait { borrowers.load(ordering: .acquiring) == 0 }
    }
  }
}
