import RASPPrimitives
import Streams
import Synchronization

/// A lock for a few instructions that run no user code: to lock it is one atomic operation, and to unlock it a plain
/// store. ``Lock`` takes two atomic operations, and a thread that waits for it sleeps.
///
/// A thread that waits looks again, then gives its processor away, and then sleeps for a moment, see
/// ``CurrentThread/pause(_:)``.
///
/// Safe to share: the value is reached by the thread only that has set `isHeld`.
@usableFromInline
package struct SpinLock<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let isHeld = Atomic<Bool>(false)
  @usableFromInline let memory: SharedAddress<UnsafeMutablePointer<Value>>

  @inlinable
  package init(_ value: Value) {
    memory = SharedAddress(.allocate(capacity: 1))
    memory.pointer.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// The address of the value, for the thread that holds the lock.
  @inlinable
  var value: UnsafeMutablePointer<Value> {
    @inline(__always) get { memory.pointer }
  }

  /// Locks, and returns where the value is.
  @inlinable
  @inline(__always)
  package borrowing func lock() -> UnsafeMutablePointer<Value> {
    if isHeld.exchange(true, ordering: .acquiring) { wait() }
    return value
  }

  /// Unlocks. What ``lock()`` returned must not be used after that.
  @inlinable
  @inline(__always)
  package borrowing func unlock() {
    isHeld.store(false, ordering: .releasing)
  }

  @inlinable
  package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    defer { unlock() }
    return body(&lock().pointee)
  }

  @usableFromInline
  borrowing func wait() {
    CurrentThread.wait { !isHeld.load(ordering: .relaxed) && !isHeld.exchange(true, ordering: .acquiring) }
  }
}
