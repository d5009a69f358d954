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
