/// Objects in an order, walked in place, that others keep alive: nothing is retained, copied or checked for each of them.
///
/// Whoever puts an object on the list answers for its life. It belongs to a delivery queue (in a ``Confined``), and so does
/// everything on it: nobody takes an object out, or lets go of one, while a walk is under way, because whoever wants to
/// waits until the round is over.
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

  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    var index = 0
    while index < count {
      pointer[index]._withUnsafeGuaranteedRef { body($0) }
      index += 1
    }
  }

  /// What `body` makes of the object at a place below `count`.
  @inlinable
  @inline(__always)
  package func withObject<Result>(at place: Int, _ body: (Object) -> Result) -> Result {
    pointer[place]._withUnsafeGuaranteedRef { body($0) }
  }

  /// The object at a place below `count`.
  package subscript(place: Int) -> Object { pointer[place].takeUnretainedValue() }

  @inlinable
  @inline(__always)
  package mutating func append(_ object: Object) {
    if count == capacity { grow() }
    (pointer + count).initialize(to: .passUnretained(object))
    count += 1
  }

  /// Takes out the object at a place and closes the gap, so that the order stays.
  mutating func remove(at place: Int) -> Unmanaged<Object> {
    let removed = pointer[place]
    (pointer + place).update(from: pointer + place + 1, count: count - place - 1)
    count -= 1
    return removed
  }

  /// Takes out the object at a place and fills the gap with the last one.
  @inlinable
  @inline(__always)
  package mutating func swapRemove(at place: Int) -> Unmanaged<Object> {
    let removed = pointer[place]
    pointer[place] = pointer[count - 1]
    count -= 1
    return removed
  }

  @inlinable
  @inline(__always)
  package mutating func swapAt(_ first: Int, _ second: Int) {
    let object = pointer[first]
    pointer[first] = pointer[second]
    pointer[second] = object
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
