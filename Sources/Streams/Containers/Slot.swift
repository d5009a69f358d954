/// The size and the alignment of a value that waits in a ``SlotQueue``.
@usableFromInline
struct SlotLayout: Sendable {
  @usableFromInline let size: Int
  @usableFromInline let alignment: Int

  @inlinable
  init<Value>(of: Value.Type) {
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
  }

  /// Where the value begins in its slot. Both numbers are powers of two, so the greater one is a multiple of the other.
  var offset: Int { max(MemoryLayout<Waiter>.stride, alignment) }

  /// The distance of two slots.
  var stride: Int { (offset + size + slotAlignment - 1) & ~(slotAlignment - 1) }

  var slotAlignment: Int { max(MemoryLayout<Waiter>.alignment, alignment) }
}

/// The first part of a slot: what does something with the value behind it, and where it comes from.
struct Waiter {
  let deliver: QueueOwnership.Delivery
  /// The thread that added it.
  let sender: UInt
  /// What brought it about.
  let cause: CarriedCause
}

/// The address of a slot: of its two parts.
struct Slot {
  let waiter: UnsafeMutablePointer<Waiter>
  let value: UnsafeMutableRawPointer

  init(_ address: UnsafeMutableRawPointer, _ offset: Int) {
    waiter = address.assumingMemoryBound(to: Waiter.self)
    value = address + offset
  }
}
