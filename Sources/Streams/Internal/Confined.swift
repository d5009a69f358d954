/// A mutable value that only whoever owns a delivery may touch.
///
/// Safe to share because of the contract's rule 2: the callbacks of one observer, and the work of one
/// `DeliveryQueue`, never overlap, and each happens after the one before it (the queue enters with an acquiring and
/// leaves with a releasing operation). So state that is reached from nowhere else needs no lock of its own. Each
/// property of this type says which delivery owns it.
@usableFromInline
package struct Confined<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
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

  /// Only for the owner of the delivery.
  @inlinable
  package var value: Value {
    @inline(__always) unsafeAddress { UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { pointer }
  }

}

extension Confined {
  /// The stored property at an offset that `MemoryLayout.offset(of:)` gave for a key path from `Value` to `Field`: what
  /// the key path reads, without interpreting it at each read. Only for the owner of the delivery.
  @inlinable
  package subscript<Field>(offset: Int, type: Field.Type) -> Field {
    @inline(__always) unsafeAddress {
      UnsafePointer(UnsafeRawPointer(pointer).advanced(by: offset).assumingMemoryBound(to: Field.self))
    }
  }
}

/// A `Confined` value that closures can capture: the state of an operator for one subscription.
@usableFromInline
package final class ConfinedBox<Value>: Sendable {
  @usableFromInline package let storage: Confined<Value>

  @inlinable
  package init(_ value: consuming Value) {
    storage = Confined(value)
  }
}
