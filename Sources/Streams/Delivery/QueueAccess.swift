import RASPPrimitives
import Synchronization

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

  /// Lets other threads copy what the queue shares, until it is changed or the queue is left. Jobs have it lent
  /// already; what handles a value calls this before it calls user code.
  @inlinable
  @inline(__always)
  package func lend() {
    queue._withUnsafeGuaranteedRef { $0.present.pointee.loan.lend() }
  }

  /// Changes what the queue shares: no other thread copies it meanwhile. It is lent when this returns.
  ///
  /// - Parameter body: makes the change. It calls no user code, except for an `apply` that changes a state in place.
  @inlinable
  @inline(__always)
  package func change<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    queue._withUnsafeGuaranteedRef { $0.present.pointee.loan.claim() }
    defer { lend() }
    return try body()
  }

  /// The address of something that the queue shares, for a change of it. A debug build checks that this is inside of
  /// ``change(_:)``.
  @inlinable
  @inline(__always)
  package func changed<Shared: ~Copyable>(_ address: UnsafePointer<Shared>) -> UnsafeMutablePointer<Shared> {
    #if DEBUG
      queue._withUnsafeGuaranteedRef { $0.checkChange() }
    #endif
    return UnsafeMutablePointer(mutating: address)
  }

  /// Counts a value as dropped.
  @usableFromInline
  func countDropped() {
    queue._withUnsafeGuaranteedRef { $0.withLine { $0.waiting.value.withLock { $0.droppedCount += 1 } } }
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

/// A mutable value that only the owner of one delivery queue may touch, in memory of its own.
///
/// Safe to share: each access takes a ``QueueAccess``, which only the owner has. Deliveries of one queue never overlap,
/// and each happens after the one before it, because the queue is entered with an acquiring and left with a releasing
/// operation.
///
/// The memory is read and written in place and without exclusivity checks at run time, so a walk through the value may
/// call user code that sends to the queue again: what it sends waits in the line, and it gets no access.
@usableFromInline
package struct QueueIsolated<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  /// The address, for code that has shown its access and needs a part of the value.
  @usableFromInline package let pointer: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: consuming Value) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  /// Puts the value on cache lines of its own.
  @inlinable
  init(padded value: consuming Value) {
    pointer = CacheLine.allocate(value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    UnsafeMutableRawPointer(pointer).deallocate()
  }

  @inlinable
  package subscript(access: QueueAccess) -> Value {
    @inline(__always) unsafeAddress {
      access.check()
      return UnsafePointer(pointer)
    }
    @inline(__always) nonmutating unsafeMutableAddress {
      access.check()
      return pointer
    }
  }
}

// Jobs on what a queue protects. It is given by its address, so that code which does not know all of it needs no type
// that it would look up at run time.
extension QueueOwnership {
  /// Runs a job between two deliveries: now, and then all that has come to wait, or when the present delivery is over.
  /// A closed queue still runs jobs.
  @inlinable
  package final func run<Protected: ~Copyable>(
    on protected: UnsafeMutablePointer<Protected>,
    _ job: @escaping @Sendable (inout Protected, QueueAccess) -> Void
  ) {
    guard enterToRun() else { return _ = runLater(on: protected, job) }
    let access = QueueAccess(of: self)
    if isShared { access.lend() }
    job(&protected.pointee, access)
    drain()
  }

  /// Runs a short job that calls no user code, between two deliveries, and never delivers for others: what comes to
  /// wait meanwhile is handed over to a task. So the caller may hold a lock of its own. A closed queue still runs jobs.
  ///
  /// - Parameter job: returns what it took out, which is released when the queue is free again.
  @inlinable
  package final func runWithoutDelivering<Protected: ~Copyable, Garbage>(
    on protected: UnsafeMutablePointer<Protected>,
    _ job: @escaping @Sendable (inout Protected, QueueAccess) -> Garbage
  ) {
    guard enterToRun() else { return _ = runLater(on: protected, delivering: false, job) }
    let garbage = job(&protected.pointee, QueueAccess(of: self))
    leaveOrHandOver()
    _ = consume garbage
  }

  /// Does what ``admitJob(closing:droppingPending:delivering:_:)`` says with a job on what the queue protects.
  @inlinable
  @inline(never)
  final func runLater<Protected: ~Copyable, Garbage>(
    on protected: UnsafeMutablePointer<Protected>,
    closing: Bool = false,
    droppingPending isDropping: Bool = false,
    delivering isDelivering: Bool = true,
    _ job: @escaping @Sendable (inout Protected, QueueAccess) -> Garbage
  ) -> Bool {
    // Safe to send: it lives as long as the queue, whose owner is what uses it.
    nonisolated(unsafe) let protected = protected
    return admitJob(closing: closing, droppingPending: isDropping, delivering: isDelivering) { queue in
      _ = job(&protected.pointee, QueueAccess(of: queue))
    }
  }
}

// The threads that copy what a queue shares. Each counts itself in the word, and among the borrowers if the queue is
// owned.
extension QueueOwnership {
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
    return readFromOutside(copy)
  }

  /// Does the same for any thread but the owner's.
  @inlinable
  @inline(__always)
  package final func readFromOutside<Copy>(_ copy: () -> Copy) -> Copy {
    let reader = beginReading()
    defer { endReading(reader) }
    return copy()
  }

  /// Begins to copy what is shared, from any thread but the owner's. It does not wait for user code, except for the
  /// owner's change of what is shared.
  ///
  /// - Returns: how this reader is counted, for ``endReading(_:)``.
  @inlinable
  @inline(__always)
  final func beginReading() -> Reader {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    return before & QueueWord.owned.bits == 0 ? .ofIdleQueue : beginReadingOwned()
  }

  /// Copies what is shared, from any thread, if nothing is being delivered: then everything that was accepted before
  /// has been.
  ///
  /// - Parameter copy: copies, and does nothing else.
  @inlinable
  @inline(__always)
  package final func readIfIdle<Copy>(_ copy: () -> Copy) -> Copy? {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    defer { word.subtract(Self.reader, ordering: .releasing) }
    return before & QueueWord.owned.adding(.waiting).bits == 0 ? copy() : nil
  }

  /// Is `true` when the queue is closed and everything that was accepted has been delivered.
  package final var isOver: Bool { !isOpen && readIfIdle { true } == true }

  /// Goes on where the queue turned out to be owned, or to be about to be.
  @usableFromInline
  final func beginReadingOwned() -> Reader {
    var attempt = 0
    while true {
      if present.pointee.loan.beginBorrowing() { return .ofLoan }
      // Withdrawn meanwhile, so that readers who wait do not hold up an owner who waits for readers.
      word.subtract(Self.reader, ordering: .releasing)
      while word.load(ordering: .relaxed) & QueueWord.owned.bits != 0,
        !present.pointee.loan.isLent.load(ordering: .relaxed)
      {
        CurrentThread.pause(attempt)
        attempt += 1
      }
      let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
      if before & QueueWord.owned.bits == 0 { return .ofIdleQueue }
    }
  }

  /// Ends what ``beginReading()`` has begun.
  @inlinable
  @inline(__always)
  final func endReading(_ reader: Reader) {
    if reader == .ofLoan { present.pointee.loan.endBorrowing() }
    word.subtract(Self.reader, ordering: .releasing)
  }

  /// How a thread that copies is counted.
  @usableFromInline
  enum Reader: Sendable {
    /// In the word: the queue was idle when it came.
    case ofIdleQueue
    /// In the word, and among the borrowers.
    case ofLoan
  }

  /// Waits for the readers that found the queue idle. A thread calls it that has taken a queue although it had readers.
  @usableFromInline
  final func awaitReaders() {
    CurrentThread.wait { word.load(ordering: .acquiring) & Self.readers == 0 }
  }
}
