/// Things in one piece of memory, in any order. A walk retains, copies and checks nothing, also where the things cannot
/// be copied.
///
/// Invariants: the list owns what is in it; there is no memory before the first element comes, and none is given back
/// while the list lives, so a list that is filled and emptied again allocates nothing.
@usableFromInline
package struct OwnedList<Element: ~Copyable>: ~Copyable {
  @usableFromInline var elements: UnsafeMutablePointer<Element>?
  // Of 32 bits, because most lists are short, and there are many.
  @usableFromInline var room: Int32 = 0
  @usableFromInline var length: Int32 = 0

  /// The number of elements.
  @inlinable
  package var count: Int {
    @inline(__always) get { Int(length) }
  }

  @usableFromInline
  package init() {}

  @inlinable
  deinit {
    guard let elements else { return }
    elements.deinitialize(count: count)
    elements.deallocate()
  }

  /// The address of the element at an index below `count`.
  @inlinable
  @inline(__always)
  package func address(at index: Int) -> UnsafeMutablePointer<Element> {
    assert(index >= 0 && index < count, "A list has no such element.")
    return elements.unsafelyUnwrapped + index
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ element: consuming Element) {
    if length == room { grow() }
    (elements.unsafelyUnwrapped + count).initialize(to: element)
    length += 1
  }

  /// Takes out the element at an index and fills the gap with the last one.
  package mutating func swapRemove(at index: Int) -> Element {
    let place = address(at: index)
    let removed = place.move()
    length -= 1
    if index < count { place.moveInitialize(from: place + (count - index), count: 1) }
    return removed
  }

  @usableFromInline
  mutating func grow() {
    let larger = max(1, Int(room) * 2)
    let grown = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    if let elements {
      grown.moveInitialize(from: elements, count: count)
      elements.deallocate()
    }
    elements = grown
    room = Int32(larger)
  }
}

/// A list of objects that other code keeps alive: it makes sure that an object lives until it is taken off.
@usableFromInline package typealias BorrowedList<Object: AnyObject> = OwnedList<Unmanaged<Object>>

extension OwnedList where Element: Copyable {
  /// Calls `body` with the object at an index below `count`.
  @inlinable
  @inline(__always)
  func withObject<Object: AnyObject, Result>(at index: Int, _ body: (Object) -> Result) -> Result
  where Element == Unmanaged<Object> {
    address(at: index).pointee._withUnsafeGuaranteedRef { body($0) }
  }

  /// The object at an index below `count`.
  subscript<Object: AnyObject>(index: Int) -> Object where Element == Unmanaged<Object> {
    withObject(at: index) { $0 }
  }

  /// Takes all elements out, which need no deinitialization.
  @inlinable
  @inline(__always)
  mutating func removeAll<Object: AnyObject>() where Element == Unmanaged<Object> {
    length = 0
  }
}
