/// The state of one operator for one subscription: only a delivery of that subscription touches it.
///
/// Safe to share because of the contract's rule 2: the deliveries of one subscription never overlap, and each happens
/// after the one before it, because its source enters a queue with an acquiring and leaves it with a releasing
/// operation, or sends from one task.
@usableFromInline
package final class Confined<Value>: @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: consuming Value) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// Changes the state. Only a delivery of the subscription may call it.
  @inlinable
  @inline(__always)
  package func withValue<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try body(&pointer.pointee)
  }
}
