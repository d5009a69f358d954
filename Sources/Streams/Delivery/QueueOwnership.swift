import Synchronization

/// The ownership of a ``DeliveryQueue``, and the readers of what it shares: one atomic word and two flags.
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
/// counts itself in the word. If the queue is idle or has lent, it copies; otherwise it withdraws and looks again. The
/// exchange that enters an idle queue fails while there are readers, so the usual delivery pays nothing for them.
///
/// ### Invariants
///
/// - One thread at most has set `owned` or `maintained`.
/// - While the queue is idle, `isLent` is false. A thread that takes a queue which has readers waits for
///   the readers first.
/// - While the queue is owned and `isLent` is false, nobody copies: it becomes false by a claim, which waits for the readers,
///   or when the owner leaves; if it cannot leave, it lends again.
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

  @usableFromInline final let word = Atomic<UInt32>(0)
  /// Is `true` while other threads may copy what is shared although the queue is owned.
  @usableFromInline final let isLent = Atomic<Bool>(false)
  /// The thread that owns the queue, in a debug build and where something is shared.
  @usableFromInline final let owner = Atomic<UInt>(CurrentThread.none)

  @inlinable
  init() {}

  /// Is `true` until the queue is closed. Values are accepted until then.
  @inlinable
  package final var isOpen: Bool { word.load(ordering: .acquiring) & Self.closed == 0 }

  /// Is `true` if this thread is the owner. It is known only where something is shared, or in a debug build.
  @inlinable
  package final var isOwnedByThisThread: Bool { owner.load(ordering: .relaxed) == CurrentThread.id }

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
    if isShared { isLent.store(false, ordering: .releasing) }
    forgetOwner(isShared: isShared)
    return word.compareExchange(expected: Self.owned, desired: Self.idle, ordering: .releasing).exchanged
  }

  /// Gives up a queue, also if it is closed or a thread reads, unless something waits.
  @usableFromInline
  final func leaveUnlessWaiting() -> Bool {
    let wasLent = isLent.load(ordering: .relaxed)
    isLent.store(false, ordering: .releasing)
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
    isLent.store(wasLent, ordering: .releasing)
    return false
  }

  /// Gives up a queue whose line has turned out to be empty. The caller holds the line's lock.
  @usableFromInline
  final func leaveEmptyLine() {
    isLent.store(false, ordering: .releasing)
    forgetOwner()
    word.bitwiseAnd(~(Self.owned | Self.waiting), ordering: .releasing)
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
      let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
      if before & Self.owned == 0 || isLent.load(ordering: .acquiring) {
        defer { word.subtract(Self.reader, ordering: .releasing) }
        return copy()
      }
      word.subtract(Self.reader, ordering: .releasing)
      CurrentThread.pause(attempt)
      attempt += 1
    }
  }

  /// Lets other threads copy what is shared. The owner calls it when it has changed it, before it calls user code.
  @inlinable
  @inline(__always)
  final func lend() {
    isLent.store(true, ordering: .releasing)
  }

  /// Returns when no other thread copies what is shared, and none can begin to. The owner calls it before it changes
  /// it.
  @inlinable
  @inline(__always)
  final func claim() {
    if isLent.load(ordering: .relaxed) { awaitReaders() }
  }

  /// Waits until no reader copies.
  ///
  /// A reader counts itself in the word and looks at `isLent` afterwards; this clears `isLent` and looks at the word
  /// afterwards. Both change the word, so one of them comes second and sees what the other has done.
  @usableFromInline
  final func awaitReaders() {
    isLent.store(false, ordering: .releasing)
    var current = word.add(0, ordering: .acquiringAndReleasing).newValue
    var attempt = 0
    while current & Self.readers != 0 {
      CurrentThread.pause(attempt)
      attempt += 1
      current = word.load(ordering: .acquiring)
    }
  }

  // MARK: Checking

  @inlinable
  @inline(__always)
  final func noteOwner(isShared: Bool = true) {
    #if DEBUG
      let previous = owner.exchange(CurrentThread.id, ordering: .relaxed)
      assert(previous == CurrentThread.none || previous == CurrentThread.id, "Two threads own one delivery queue.")
    #else
      if isShared { owner.store(CurrentThread.id, ordering: .relaxed) }
    #endif
  }

  @inlinable
  @inline(__always)
  final func forgetOwner(isShared: Bool = true) {
    #if DEBUG
      checkOwner()
      owner.store(CurrentThread.none, ordering: .relaxed)
    #else
      if isShared { owner.store(CurrentThread.none, ordering: .relaxed) }
    #endif
  }

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
