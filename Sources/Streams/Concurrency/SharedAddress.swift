/// An address of memory that several threads know. A type that has its addresses in this is checked by the compiler in
/// all else: that nothing in it changes, and that what it has may be shared.
///
/// Safe to share: the address does not change, and owns nothing. What is there is protected by something else, which
/// the type that has the address names: the owner of a queue, a lock, or the order of two numbers.
@usableFromInline
package struct SharedAddress<Address: MemoryAddress>: @unchecked Sendable {
  @usableFromInline package let pointer: Address

  @inlinable
  @inline(__always)
  package init(_ pointer: Address) {
    self.pointer = pointer
  }
}

/// An address, and nothing else.
@usableFromInline
package protocol MemoryAddress {}

extension UnsafePointer: MemoryAddress where Pointee: ~Copyable {}
extension UnsafeMutablePointer: MemoryAddress where Pointee: ~Copyable {}
extension UnsafeRawPointer: MemoryAddress {}
extension UnsafeMutableRawPointer: MemoryAddress {}
