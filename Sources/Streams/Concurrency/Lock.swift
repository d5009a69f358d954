import Synchronization

/// The one lock of the package: a `Mutex` whose ordering the thread sanitizer can see.
///
/// The lock behind `Mutex` lives in a runtime library that is not instrumented on Linux, so the sanitizer reports
/// races that do not exist. An acquiring load right after locking and a releasing store right before unlocking make
/// the same order visible; both are plain moves on the processors this runs on.
///
/// Closures given to `withLock` hold no user code, resume nothing and release nothing a user made: they change the
/// value and hand out what there is to do after unlocking.
@usableFromInline
package struct Lock<Value: Sendable & ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let order = Atomic<UInt8>(0)

  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  @inlinable
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(0, ordering: .releasing) }
      return body(&value)
    }
  }

  /// Does the same as `withLock`, or returns `nil` at once if any thread holds the lock, this one included.
  @inlinable
  package func withLockIfAvailable<Result: Sendable>(_ body: (inout Value) -> Result) -> Result? {
    mutex.withLockIfAvailable { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(0, ordering: .releasing) }
      return body(&value)
    }
  }
}

extension Lock {
  /// Replaces the value and returns the old one, so that it is released after unlocking.
  @inlinable
  @discardableResult
  package func exchange(with value: Value) -> Value {
    var value = value
    withLock { swap(&$0, &value) }
    return value
  }
}
