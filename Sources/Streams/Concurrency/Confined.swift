/// The memory of a closure that deliveries call: the state of one operator for one subscription, or what a selection
/// remembers from one event to the next.
///
/// Safe to share because of the contract's rule 2: the deliveries that call one such closure never overlap, and each
/// happens after the one before it, because their source enters a queue with an acquiring and leaves it with a
/// releasing operation, or sends from one task.
///
/// It is not a `QueueIsolated`, because an operator does not know the queue of its source and gets no access.
@usableFromInline
package final class Confined<Value>: @unchecked Sendable {
  /// The address, for a closure that keeps a field there.
  @usableFromInline package let pointer: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: consuming Value) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// Changes the memory. Only a delivery may call it.
  @inlinable
  @inline(__always)
  package func withValue<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try body(&pointer.pointee)
  }
}
