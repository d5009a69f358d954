/// A value on cache lines that it shares with nothing else, so that a thread that writes it does not slow down threads
/// that use the memory beside it.
///
/// Safe to share if the value is used by one thread at a time, or synchronises itself: each property of this type says
/// which.
@usableFromInline
package struct CachePadded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline package let pointer: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: consuming Value) {
    pointer = CacheLine.allocate(value)
  }

  @inlinable
  deinit {
    CacheLine.deallocate(pointer)
  }

  @inlinable
  package var value: Value {
    @inline(__always) unsafeAddress { UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { pointer }
  }
}

/// The unit of memory that processors move between each other.
@usableFromInline
package enum CacheLine {
  /// The size in bytes, at least that of every processor this runs on.
  @inlinable static var size: Int { 128 }

  /// Puts a value on cache lines of its own.
  @inlinable
  package static func allocate<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (MemoryLayout<Value>.size + size - 1) / size * size,
      alignment: max(size, MemoryLayout<Value>.alignment)
    )
    let pointer = memory.bindMemory(to: Value.self, capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  @inlinable
  package static func deallocate<Value: ~Copyable>(_ pointer: UnsafeMutablePointer<Value>) {
    pointer.deinitialize(count: 1)
    UnsafeMutableRawPointer(pointer).deallocate()
  }
}
