/// The state that a ``DeliveryQueue`` protects, and the code that handles a value that was sent to the queue.
///
/// Everything that only the owner of the queue may touch is stored in the shell. The owner calls the methods of a
/// shell, with the shell as their `inout self`; other code has no way to the shell but through the queue.
@usableFromInline
package protocol DeliveryShell<Value>: ~Copyable, SendableMetatype {
  associatedtype Value: Sendable

  /// Work for the owner that is not a value: it runs between two deliveries. What the queue shares is lent meanwhile.
  typealias Job = @Sendable (inout Self, QueueAccess) -> Void

  /// Is `true` if other threads copy something that `deliver` changes; see ``QueueOwnership``.
  static var isShared: Bool { get }

  /// Delivers one value. It may call user code; what that sends waits until this has returned.
  mutating func deliver(_ value: Value, _ access: QueueAccess)
}

extension DeliveryShell where Self: ~Copyable {
  @inlinable
  package static var isShared: Bool { false }
}

/// The shell of a queue that runs jobs only, one after the other.
@usableFromInline
package struct JobShell: ~Copyable, DeliveryShell {
  @usableFromInline
  package init() {}

  @inlinable
  package mutating func deliver(_ value: Never, _ access: QueueAccess) {}
}
