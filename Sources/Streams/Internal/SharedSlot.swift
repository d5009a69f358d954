/// A value that the owner of a delivery changes and any thread may copy.
///
/// The owner reads without the lock, because nobody else writes; it takes the lock to write, and everybody else takes
/// it to copy. So a copy is never torn, and reading in a delivery costs nothing.
@usableFromInline
package struct SharedSlot<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline package let confined: Confined<Value>
  @usableFromInline let access = Lock(())

  @inlinable
  package init(_ value: Value) {
    confined = Confined(value)
  }

  /// Only for the owner of the delivery.
  @inlinable
  package var value: Value {
    @inline(__always) unsafeAddress { UnsafePointer(confined.pointer) }
  }

  /// Only for the owner of the delivery. What was there is released after unlocking.
  @inlinable
  package func replace(with value: consuming Value) {
    var value = value
    access.withLock { _ in swap(&value, &confined.value) }
  }

  /// Only for the owner of the delivery: changes the value in its place. `body` must not wait for anybody.
  @inlinable
  @inline(__always)
  package func modify(_ body: (inout Value) -> Void) {
    access.withLock { _ in body(&confined.value) }
  }

  /// The value now; for any thread, and also from inside a delivery.
  package func copy() -> Value {
    access.withLock { _ in confined.value }
  }

  /// As `copy`, or `nil` at once if the value is being changed.
  package func copyIfAvailable() -> Value? {
    access.withLockIfAvailable { _ in confined.value }
  }
}
