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
  /// Makes a job of the line.
  @inlinable
  static func job<Protected: ~Copyable>(
    on protected: UnsafeMutablePointer<Protected>,
    _ job: @escaping @Sendable (inout Protected, QueueAccess) -> Void
  ) -> LineJob {
    // Safe to send: it lives as long as the queue, whose owner is what uses it.
    nonisolated(unsafe) let protected = protected
    return { access in job(&protected.pointee, access) }
  }

  /// Runs a job between two deliveries: now, and then all that has come to wait, or when the present delivery is over.
  /// A closed queue still runs jobs.
  @inlinable
  package final func run<Protected: ~Copyable>(
    on protected: UnsafeMutablePointer<Protected>,
    _ job: @escaping @Sendable (inout Protected, QueueAccess) -> Void
  ) {
    run {
      job(&protected.pointee, $0)
    } orLater: {
      Self.job(on: protected, job)
    }
  }

  /// Runs a short job that calls no user code, between two deliveries, and never delivers for others: what comes to
  /// wait meanwhile is handed over to a task. So the caller may hold a lock of its own. A closed queue still runs jobs.
  ///
  /// - Parameter job: returns what it took out, which is released when the queue is free again.
  @inlinable
  package final func runWithoutDelivering<Protected: ~Copyable>(
    on protected: UnsafeMutablePointer<Protected>,
    _ job: @escaping @Sendable (inout Protected, QueueAccess) -> Any?
  ) {
    var garbage: Any?
    run(delivering: false) {
      garbage = job(&protected.pointee, $0)
    } orLater: {
      Self.job(on: protected) { _ = job(&$0, $1) }
    }
    _ = consume garbage
  }

  /// Makes a change between two deliveries: now, or as a job, which is made only if the change has to wait.
  ///
  /// - Parameter isDelivering: whether what has come to wait is delivered then, and not handed over.
  @inlinable
  @inline(__always)
  final func run(delivering isDelivering: Bool = true, _ change: (QueueAccess) -> Void, orLater job: () -> LineJob) {
    guard enterToRun() else { return _ = admitJob(delivering: isDelivering, job()) }
    change(QueueAccess(of: self))
    if isDelivering { drain() } else { leaveOrHandOver() }
  }
}
