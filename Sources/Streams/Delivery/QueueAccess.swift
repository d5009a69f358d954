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
    queue._withUnsafeGuaranteedRef { $0.present.pointee.lend() }
  }

  /// Changes what the queue shares: no other thread copies it meanwhile. It is lent when this returns.
  ///
  /// - Parameter body: makes the change. It calls no user code, except for an `apply` that changes a state in place.
  @inlinable
  @inline(__always)
  package func change<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    queue._withUnsafeGuaranteedRef { $0.present.pointee.claim() }
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
