import Synchronization

/// The ownership of a ``DeliveryQueue``, and the readers of what it shares: one atomic word, and beside it what only the
/// owner changes.
///
/// ```
///                 enter                                  maintain
///   ┌──────┐ ───────────────▶ ┌───────┐     ┌──────┐ ──────────────▶ ┌────────────┐
///   │ idle │                  │ owned │     │ idle │                 │ maintained │   a few instructions,
///   └──────┘ ◀─────────────── └───────┘     └──────┘ ◀────────────── └────────────┘   no user code
///                 leave
///
///   beside it: closed (no values any more), waiting (there is a line), the number of readers
/// ```
///
/// ### Sharing
///
/// A queue may share something that other threads copy, while its owner changes it in one short stretch of each
/// delivery. The owner lends it before it calls user code, and claims it back before it changes it again. A reader
/// counts itself in the word. If the queue is idle, it copies. If the queue is owned, the reader counts itself among the
/// borrowers, too, and copies if the owner has lent; otherwise it withdraws and looks again. The exchange that enters an
/// idle queue fails while there are readers, so the usual delivery pays nothing for them.
///
/// The flag and the count of borrowers are on a cache line of their own: the owner writes them at every delivery, while
/// threads that send look at the word.
///
/// ### Invariants
///
/// - One thread at most has set `owned` or `maintained`.
/// - While the queue is idle, `isLent` is false. A thread that takes a queue which has readers waits for
///   the readers first.
/// - A reader that copies is counted in the word, and among the borrowers unless the queue was idle when it came.
/// - While the queue is owned and `isLent` is false, no reader copies: it becomes false by a claim, which waits for the
///   borrowers, or when the owner leaves; if the owner cannot leave, it lends again.
/// - Between ``claim()`` and ``lend()`` no reader copies.
///
/// Safe to share: everything in it is atomic. It is a class that only ``DeliveryQueue`` inherits from, so that code
/// which does not depend on the type of the values is compiled once.
@usableFromInline
package class QueueOwnership: @unchecked Sendable {
  /// The result of an attempt to own the queue.
  @usableFromInline
  enum Admission: Sendable {
    /// The queue was idle: the caller owns it now.
    case entered
    /// The owner will do it.
    case queued
    /// The queue is closed, or its bound does not admit the value.
    case refused
  }

  /// Bits of the word. Above them is the number of readers.
  @usableFromInline static var idle: UInt32 { 0 }
  @usableFromInline static var owned: UInt32 { 1 }
  @usableFromInline static var waiting: UInt32 { 2 }
  @usableFromInline static var closed: UInt32 { 4 }
  @usableFromInline static var maintained: UInt32 { 8 }
  @usableFromInline static var reader: UInt32 { 256 }
  @usableFromInline static var readers: UInt32 { ~255 }

  /// What the owner writes at every delivery.
  @usableFromInline
  struct Loan: ~Copyable {
    /// Is `true` while other threads may copy what is shared although the queue is owned.
    @usableFromInline let isLent = Atomic<Bool>(false)
    /// The readers that found the queue owned.
    @usableFromInline let borrowers = Atomic<UInt32>(0)
    /// The thread that owns the queue.
    @usableFromInline let owner = Atomic<UInt>(CurrentThread.none)

    @usableFromInline
    init() {}
  }

  @usableFromInline final let word = Atomic<UInt32>(0)
  /// On cache lines of its own. `nil` in a release build if nothing is shared: nothing reads it then.
  @usableFromInline final let loan: UnsafeMutablePointer<Loan>?

  /// - Parameter isShared: whether the queue shares something.
  @usableFromInline
  init(isShared: Bool) {
    #if DEBUG
      loan = CacheLine.allocate(Loan())
    #else
      loan = isShared ? CacheLine.allocate(Loan()) : nil
    #endif
  }

  deinit {
    if let loan { CacheLine.deallocate(loan) }
  }

  /// What the owner writes, where something is shared, or in a debug build.
  @inlinable
  final var present: UnsafeMutablePointer<Loan> {
    @inline(__always) get {
      assert(loan != nil, "A queue that shares nothing was asked for what it has lent.")
      return loan.unsafelyUnwrapped
    }
  }

  /// Is `true` until the queue is closed. Values are accepted until then.
  @inlinable
  package final var isOpen: Bool { word.load(ordering: .acquiring) & Self.closed == 0 }

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
    guard
      word.load(ordering: .relaxed) == Self.idle,
      word.compareExchange(
        expected: Self.idle,
        desired: closing ? Self.owned | Self.closed : Self.owned,
        ordering: .acquiring
      ).exchanged
    else { return false }
    noteOwner(isShared: isShared)
    return true
  }

  /// Gives up the queue.
  ///
  /// - Returns: `false` if something waits, a thread reads, or the queue is closed. The caller is still the owner then, and
  ///   must lend what is shared again: a thread may still copy it, so it has to be claimed before the next change.
  @inlinable
  @inline(__always)
  final func leave(isShared: Bool) -> Bool {
    if isShared { present.pointee.isLent.store(false, ordering: .releasing) }
    forgetOwner(isShared: isShared)
    return word.compareExchange(expected: Self.owned, desired: Self.idle, ordering: .releasing).exchanged
  }

  /// Gives up a queue, also if it is closed or a thread reads, unless something waits.
  @usableFromInline
  final func leaveUnlessWaiting() -> Bool {
    let wasLent = takeBack()
    forgetOwner()
    var current = word.load(ordering: .relaxed)
    while current & Self.waiting == 0 {
      let desired = current & ~Self.owned
      let (exchanged, original) = word.compareExchange(expected: current, desired: desired, ordering: .releasing)
      if exchanged { return true }
      current = original
    }
    noteOwner()
    // A thread may still copy, so the next change has to claim it.
    if wasLent { lend() }
    return false
  }

  /// Gives up a queue whose line has turned out to be empty. The caller holds the line's lock.
  @usableFromInline
  final func leaveEmptyLine() {
    _ = takeBack()
    forgetOwner()
    word.bitwiseAnd(~(Self.owned | Self.waiting), ordering: .releasing)
  }

  /// Ends the loan, without waiting for those who copy.
  ///
  /// - Returns: whether there was one.
  final func takeBack() -> Bool {
    guard let loan, loan.pointee.isLent.load(ordering: .relaxed) else { return false }
    loan.pointee.isLent.store(false, ordering: .releasing)
    return true
  }

  /// Takes an idle queue, or makes the owner look at the line before it leaves. The caller holds the line's lock.
  @usableFromInline
  final func occupy(evenIfClosed: Bool, closing: Bool) -> Admission {
    var current = word.load(ordering: .relaxed)
    var attempt = 0
    while true {
      if current & Self.closed != 0, !evenIfClosed { return .refused }
      let isOwned = current & Self.owned != 0
      if current & Self.maintained != 0 {
        CurrentThread.pause(attempt)
        attempt += 1
        current = word.load(ordering: .relaxed)
        continue
      }
      // The owner of a queue with a line cannot leave without the lock, so there is nothing to change. An exchange
      // would only take the cache line away from the processor that delivers.
      if isOwned, current & Self.waiting != 0, !closing { return .queued }
      let (exchanged, original) = word.compareExchange(
        expected: current,
        desired: current | (isOwned ? Self.waiting : Self.owned) | (closing ? Self.closed : 0),
        ordering: .acquiringAndReleasing
      )
      if exchanged {
        if isOwned { return .queued }
        noteOwner()
        return .entered
      }
      current = original
    }
  }

  /// Makes the owner look at the line before it leaves. The caller holds the line's lock.
  ///
  /// - Returns: `false` if there is no owner.
  @usableFromInline
  final func detainOwner() -> Bool {
    var current = word.load(ordering: .relaxed)
    while current & Self.owned != 0 {
      let desired = current | Self.waiting
      let (exchanged, original) = word.compareExchange(
        expected: current,
        desired: desired,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return true }
      current = original
    }
    return false
  }

  /// Goes on with the line on the concurrent pool, in pieces, and lets other tasks run between them. Only the owner calls it.
  ///
  /// - Parameter deliverPiece: delivers a part of the line; it returns `false` if that was not all, and then the queue is
  ///   still owned.
  @usableFromInline
  final func handOver(_ deliverPiece: @escaping @Sendable () -> Bool) {
    forgetOwner()
    Task.detached {
      while !deliverPiece() {
        self.forgetOwner()
        await Task.yield()
      }
    }
  }

  // MARK: Maintaining

  /// Makes the caller the one that may change what the queue protects, for a few instructions without user code.
  ///
  /// - Returns: `false` if the queue is owned.
  @usableFromInline
  final func beginMaintenance() -> Bool {
    var current = word.load(ordering: .relaxed)
    var attempt = 0
    while current & Self.owned == 0 {
      if current & Self.maintained != 0 {
        CurrentThread.pause(attempt)
        attempt += 1
        current = word.load(ordering: .relaxed)
        continue
      }
      let desired = current | Self.maintained
      let (exchanged, original) = word.compareExchange(expected: current, desired: desired, ordering: .acquiring)
      if exchanged {
        noteOwner()
        return true
      }
      current = original
    }
    return false
  }

  @usableFromInline
  final func endMaintenance() {
    forgetOwner()
    word.bitwiseAnd(~Self.maintained, ordering: .releasing)
  }

  // MARK: Sharing

  /// Copies what is shared, from any thread. It does not wait for user code, except for the owner's change of what is
  /// shared.
  ///
  /// - Parameters:
  ///   - isChanging: whether the owner is changing what is shared. Asked only if this thread is the owner.
  ///   - copy: copies, and does nothing else.
  /// - Returns: `nil` if this very thread is changing what is shared.
  @inlinable
  package final func read<Copy>(unless isChanging: () -> Bool, _ copy: () -> Copy) -> Copy? {
    if isOwnedByThisThread { return isChanging() ? nil : copy() }
    var attempt = 0
    while true {
      // Looked at first, so that readers who wait do not hold up an owner who waits for readers.
      let mayCopy =
        word.load(ordering: .relaxed) & Self.owned == 0 || present.pointee.isLent.load(ordering: .relaxed)
      if mayCopy, let copy = readNow(copy) { return copy }
      CurrentThread.pause(attempt)
      attempt += 1
    }
  }

  /// Copies what is shared, unless the owner is changing it.
  @inlinable
  final func readNow<Copy>(_ copy: () -> Copy) -> Copy? {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    defer { word.subtract(Self.reader, ordering: .releasing) }
    if before & Self.owned == 0 { return copy() }
    present.pointee.borrowers.add(1, ordering: .acquiringAndReleasing)
    defer { present.pointee.borrowers.subtract(1, ordering: .releasing) }
    return present.pointee.isLent.load(ordering: .acquiring) ? copy() : nil
  }

  /// Lets other threads copy what is shared. The owner calls it when it has changed it, before it calls user code.
  @inlinable
  @inline(__always)
  final func lend() {
    present.pointee.isLent.store(true, ordering: .releasing)
  }

  /// Returns when no other thread copies what is shared, and none can begin to. The owner calls it before it changes
  /// it.
  @inlinable
  @inline(__always)
  final func claim() {
    if present.pointee.isLent.load(ordering: .relaxed) { awaitBorrowers() }
  }

  /// Waits until no reader copies what the owner has lent.
  ///
  /// A reader counts itself among the borrowers and looks at `isLent` afterwards; this clears `isLent` and looks at the
  /// borrowers afterwards. Both change the count, so one of them comes second and sees what the other has done.
  @usableFromInline
  final func awaitBorrowers() {
    present.pointee.isLent.store(false, ordering: .releasing)
    if present.pointee.borrowers.add(0, ordering: .acquiringAndReleasing).newValue != 0 {
      Self.wait { self.present.pointee.borrowers.load(ordering: .acquiring) == 0 }
    }
  }

  /// Waits for the readers that found the queue idle. A thread calls it that has taken a queue although it had readers.
  @usableFromInline
  final func awaitReaders() {
    Self.wait { self.word.load(ordering: .acquiring) & Self.readers == 0 }
  }

  /// Waits for readers, which copy and run no user code.
  @usableFromInline
  static func wait(until isOver: () -> Bool) {
    var attempt = 0
    while !isOver() {
      CurrentThread.pause(attempt)
      attempt += 1
    }
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
  #endif
}

/// Shows that the holder owns a ``DeliveryQueue`` at this moment.
///
/// Only a queue makes one, and hands it to what it calls as a parameter. A function that takes one may touch what the
/// queue protects; a function that takes none may not. It must not be kept: a debug build checks, each time it is used,
/// that this thread owns the queue.
@usableFromInline
package struct QueueAccess {
  /// The queue, not retained: it lives as long as it runs a call.
  @usableFromInline let queue: Unmanaged<QueueOwnership>

  @inlinable
  @inline(__always)
  init(of queue: QueueOwnership) {
    self.queue = .passUnretained(queue)
  }

  /// Lets other threads copy what the queue shares, until it is claimed again or the queue is left.
  @inlinable
  @inline(__always)
  package func lend() {
    queue._withUnsafeGuaranteedRef { $0.lend() }
  }

  /// Returns when no other thread copies what the queue shares, and none can begin to.
  @inlinable
  @inline(__always)
  package func claim() {
    queue._withUnsafeGuaranteedRef { $0.claim() }
  }

  /// Is `true` until the queue is closed.
  @inlinable
  package var isOpen: Bool { queue._withUnsafeGuaranteedRef { $0.isOpen } }

  /// Checks in a debug build that this thread owns the queue.
  @inlinable
  @inline(__always)
  package func check() {
    #if DEBUG
      queue._withUnsafeGuaranteedRef { $0.checkOwner() }
    #endif
  }
}
