/// Objects in an order, walked in place: nothing is retained, copied or checked for each of them.
///
/// A walk borrows the objects from the list. That is safe as long as nobody takes one out during the walk; so the list
/// belongs to a delivery queue (it lives in a ``Confined``), and whoever wants to change it waits until the round is over.
@usableFromInline
package struct ObjectList<Object: AnyObject>: ~Copyable {
  @usableFromInline var pointer: UnsafeMutablePointer<Unmanaged<Object>>
  @usableFromInline var capacity: Int
  @usableFromInline package private(set) var count = 0

  @inlinable
  package init() {
    capacity = 4
    pointer = .allocate(capacity: 4)
  }

  deinit {
    for index in 0..<count { pointer[index].release() }
    pointer.deallocate()
  }

  @inlinable
  package var isEmpty: Bool { count == 0 }

  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    var index = 0
    while index < count {
      pointer[index]._withUnsafeGuaranteedRef { body($0) }
      index += 1
    }
  }

  /// Calls `body` with the object at a place below `count`.
  @inlinable
  @inline(__always)
  package func withObject(at place: Int, _ body: (Object) -> Void) {
    pointer[place]._withUnsafeGuaranteedRef { body($0) }
  }

  /// The object at a place below `count`.
  @inlinable
  package subscript(place: Int) -> Object { pointer[place].takeUnretainedValue() }

  package var objects: [Object] { (0..<count).map { self[$0] } }

  @usableFromInline
  package mutating func append(_ object: Object) {
    if count == capacity {
      let grown = UnsafeMutablePointer<Unmanaged<Object>>.allocate(capacity: capacity * 2)
      grown.moveInitialize(from: pointer, count: count)
      pointer.deallocate()
      pointer = grown
      capacity *= 2
    }
    (pointer + count).initialize(to: .passRetained(object))
    count += 1
  }

  /// Takes out an object and closes the gap, so that the order stays.
  package mutating func remove(at place: Int) -> Object {
    let removed = pointer[place].takeRetainedValue()
    (pointer + place).update(from: pointer + place + 1, count: count - place - 1)
    count -= 1
    return removed
  }

  /// Takes out an object and fills the gap with the last one.
  package mutating func swapRemove(at place: Int) -> Object {
    let removed = pointer[place].takeRetainedValue()
    pointer[place] = pointer[count - 1]
    count -= 1
    return removed
  }

  package func firstIndex(where predicate: (Object) -> Bool) -> Int? {
    (0..<count).first { pointer[$0]._withUnsafeGuaranteedRef { predicate($0) } }
  }

  /// Takes out all objects, for the caller to release.
  package mutating func removeAll() -> [Object] {
    let removed = (0..<count).map { pointer[$0].takeRetainedValue() }
    count = 0
    return removed
  }
}
