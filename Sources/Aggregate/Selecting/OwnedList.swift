/// Things that cannot be copied, in one piece of memory. A walk retains and copies nothing.
///
/// Invariants: the list owns what is in it; there is no memory before the first element comes, and none is given back
/// while the list lives.
@usableFromInline
package struct OwnedList<Element: ~Copyable>: ~Copyable {
  @usableFromInline var elements: UnsafeMutablePointer<Element>?
  // Of 32 bits, because most lists are short, and there are many.
  private var room: Int32 = 0
  @usableFromInline package private(set) var length: Int32 = 0

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

  /// Takes out the element at an index. Those behind close up.
  mutating func remove(at index: Int) -> Element {
    let place = address(at: index)
    let removed = place.move()
    length -= 1
    place.moveInitialize(from: place + 1, count: count - index)
    return removed
  }

  private mutating func grow() {
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
