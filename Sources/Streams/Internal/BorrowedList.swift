/// A scratch list of objects that others keep alive for as long as they are on it; nothing is retained.
///
/// Whoever puts an object on the list answers for its life: it belongs to a delivery queue (in a ``Confined``), is filled
/// and emptied within one delivery, and the objects on it belong to the same queue, which lets go of none meanwhile.
@usableFromInline
package struct BorrowedList<Object: AnyObject>: ~Copyable {
  @usableFromInline var pointer: UnsafeMutablePointer<Unmanaged<Object>>
  @usableFromInline var capacity: Int
  @usableFromInline package internal(set) var count = 0

  @inlinable
  package init() {
    capacity = 4
    pointer = .allocate(capacity: 4)
  }

  deinit {
    pointer.deallocate()
  }

  package subscript(place: Int) -> Object { pointer[place].takeUnretainedValue() }

  @inlinable
  @inline(__always)
  package func withFirst(_ body: (Object) -> Void) {
    pointer[0]._withUnsafeGuaranteedRef { body($0) }
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ object: Object) {
    if count == capacity { grow() }
    (pointer + count).initialize(to: .passUnretained(object))
    count += 1
  }

  @inlinable
  @inline(__always)
  package mutating func removeAll() {
    count = 0
  }

  @usableFromInline
  mutating func grow() {
    let grown = UnsafeMutablePointer<Unmanaged<Object>>.allocate(capacity: capacity * 2)
    grown.moveInitialize(from: pointer, count: count)
    pointer.deallocate()
    pointer = grown
    capacity *= 2
  }
}
