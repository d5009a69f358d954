/// A value in memory of its own, on cache lines that it shares with nothing else: a thread that writes it does not slow down
/// threads that use something that happens to lie beside it.
///
/// Safe to share if every part of the value is: each property of this type says why it is.
@usableFromInline
struct OwnCacheLines<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable
  init(_ value: consuming Value) {
    // The largest line of the processors this runs on.
    let line = 128
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (MemoryLayout<Value>.size + line - 1) / line * line,
      alignment: max(line, MemoryLayout<Value>.alignment)
    )
    pointer = memory.bindMemory(to: Value.self, capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    UnsafeMutableRawPointer(pointer).deallocate()
  }

  @inlinable
  var value: Value {
    @inline(__always) unsafeAddress { UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { pointer }
  }
}
