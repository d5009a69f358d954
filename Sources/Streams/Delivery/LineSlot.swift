/// The size and the alignment of a value that waits in a ``SlotQueue``.
@usableFromInline
struct SlotLayout: Sendable {
  @usableFromInline let size: Int
  @usableFromInline let alignment: Int

  @inlinable
  init<Value>(of: Value.Type) {
    // A value without a size is moved as one byte by code that is not specialised.
    size = max(1, MemoryLayout<Value>.size)
    alignment = MemoryLayout<Value>.alignment
  }

  /// Where the value begins in its slot.
  var offset: Int { rounded(MemoryLayout<LineWaiter>.size, to: alignment) }

  /// The distance of two slots.
  var stride: Int { rounded(offset + size, to: slotAlignment) }

  var slotAlignment: Int { max(MemoryLayout<LineWaiter>.alignment, alignment) }

  /// - Parameter alignment: a power of two.
  private func rounded(_ number: Int, to alignment: Int) -> Int { (number + alignment - 1) & ~(alignment - 1) }
}

/// The first part of a slot: what does something with the value behind it, and where it comes from.
struct LineWaiter {
  let deliver: QueueOwnership.Delivery
  /// The thread that added it.
  let sender: UInt
  /// What brought it about.
  let cause: CarriedCause
}

/// The address of a slot: of its two parts.
struct LineSlot {
  let waiter: UnsafeMutablePointer<LineWaiter>
  let value: UnsafeMutableRawPointer

  init(_ address: UnsafeMutableRawPointer, _ offset: Int) {
    waiter = address.assumingMemoryBound(to: LineWaiter.self)
    value = address + offset
  }
}
