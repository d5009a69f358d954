import Streams
import Synchronization

/// A value that is written once, and that any thread may read from then on.
///
///     memory ──▶ | phase | padding | value |
///
/// Safe to share: the phase is atomic and goes from `empty` by `writing` to `written`, and never back. Only the one
/// writer that takes it from `empty` to `writing` touches the value until the phase is `written`. After that the value
/// does not change, and it is not read before. The writer's last step releases and each read acquires, so a reader sees
/// the whole value. This holds whatever the callers do. They only have to agree on who writes and that no read comes
/// before the write: a second write and an early read are mistakes of this package.
///
/// The phase stands beside the value, and not in the structure, so that generic code which releases a `WriteOnce` looks
/// up the type of the value and no other: a structure with an atomic in it is not passed in a register, and takes a
/// look-up of its own type.
@usableFromInline
package struct WriteOnce<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  enum Phase {
    @usableFromInline static var empty: UInt8 { 0 }
    @usableFromInline static var writing: UInt8 { 1 }
    @usableFromInline static var written: UInt8 { 2 }
  }

  @usableFromInline let address: SharedAddress<UnsafeMutableRawPointer>

  @inlinable
  package init() {
    // The phase takes one byte, so the next address that is aligned for the value is one alignment away.
    let alignment = MemoryLayout<Value>.alignment
    address = SharedAddress(.allocate(byteCount: alignment + MemoryLayout<Value>.size, alignment: alignment))
    memory.bindMemory(to: Atomic<UInt8>.self, capacity: 1).initialize(to: Atomic(Phase.empty))
  }

  @usableFromInline var memory: UnsafeMutableRawPointer {
    @inlinable @inline(__always) get { address.pointer }
  }

  @inlinable
  deinit {
    if phase.pointee.load(ordering: .acquiring) == Phase.written { pointer.deinitialize(count: 1) }
    phase.deinitialize(count: 1)
    memory.deallocate()
  }

  /// Writes the value. A second write is a mistake: it traps in a debug build and changes nothing in any other.
  @inlinable
  package func write(_ value: Value) {
    let isFirst = phase.pointee.compareExchange(
      expected: Phase.empty,
      desired: Phase.writing,
      ordering: .relaxed
    ).exchanged
    guard isFirst else { return assertionFailure("A value that is written once was written twice") }
    memory.advanced(by: MemoryLayout<Value>.alignment).initializeMemory(as: Value.self, to: value)
    phase.pointee.store(Phase.written, ordering: .releasing)
  }

  /// The value. Reading it before it is written is a mistake and traps.
  @inlinable
  package var value: Value {
    precondition(phase.pointee.load(ordering: .acquiring) == Phase.written, "A value was read before it was written")
    return pointer.pointee
  }

  @usableFromInline var phase: UnsafeMutablePointer<Atomic<UInt8>> {
    @inlinable @inline(__always) get { memory.assumingMemoryBound(to: Atomic<UInt8>.self) }
  }

  /// Only for memory that has been written.
  @usableFromInline var pointer: UnsafeMutablePointer<Value> {
    @inlinable @inline(__always) get {
      memory.advanced(by: MemoryLayout<Value>.alignment).assumingMemoryBound(to: Value.self)
    }
  }
}
