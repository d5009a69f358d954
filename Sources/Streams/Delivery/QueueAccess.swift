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

// Jobs and changes of code that knows what a queue protects by its address, and not by its type: it looks no type up
// at run time, and is compiled once.
extension QueueOwnership {
  /// Runs a job between two deliveries: now, and then all that has come to wait, or when the present delivery is over.
  /// A closed queue still runs jobs.
  ///
  /// - Parameters:
  ///   - now: runs the job if the queue is idle.
  ///   - later: makes the job otherwise.
  package final func run(now: (QueueAccess) -> Void, orLater later: () -> @Sendable (QueueAccess) -> Void) {
    guard enter(knowsOwner: knowsOwner) else {
      let later = later()
      return _ = admitJob(asTheLast: false) { queue, _, _ in later(QueueAccess(of: queue)) }
    }
    let access = QueueAccess(of: self)
    now(access)
    if !leave(knowsOwner: knowsOwner) { drain() }
  }

  // MARK: Maintaining

  /// Makes the caller the one that may change what the queue protects, for a few instructions without user code.
  ///
  /// - Returns: `false` if the queue is owned, or something waits for an owner.
  @usableFromInline
  final func beginMaintenance() -> Bool {
    var current = word.load(ordering: .relaxed)
    var attempt = 0
    while current & (Self.owned | Self.waiting) == 0 {
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

  /// Makes a change that runs no user code, and never delivers for others: now, or by the owner.
  ///
  /// - Parameters:
  ///   - now: makes the change if the queue is not owned.
  ///   - later: makes the job that makes it otherwise.
  package final func maintain(now: (QueueAccess) -> Void, orLater later: () -> @Sendable (QueueAccess) -> Void) {
    while !beginMaintenance() {
      let later = later()
      if putInLine({ queue, _, _ in later(QueueAccess(of: queue)) }) { return }
    }
    now(QueueAccess(of: self))
    endMaintenance()
  }
}
