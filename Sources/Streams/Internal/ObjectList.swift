/// A ``BorrowedList`` that keeps its objects alive itself: observers, listeners, selections.
@usableFromInline
package struct ObjectList<Object: AnyObject>: ~Copyable {
  /// Each object on it is retained once, by `append`, and released once, by whoever takes it out or at the end.
  @usableFromInline var borrowed = BorrowedList<Object>()

  @inlinable
  package init() {}

  deinit {
    for place in 0..<borrowed.count { borrowed.pointer[place].release() }
  }

  @inlinable
  package var count: Int { borrowed.count }

  @inlinable
  package var isEmpty: Bool { borrowed.count == 0 }

  package var objects: [Object] { (0..<count).map { self[$0] } }

  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    borrowed.forEach(body)
  }

  /// What `body` makes of the object at a place below `count`.
  @inlinable
  @inline(__always)
  package func withObject<Result>(at place: Int, _ body: (Object) -> Result) -> Result {
    borrowed.withObject(at: place, body)
  }

  /// The object at a place below `count`.
  package subscript(place: Int) -> Object { borrowed[place] }

  package func firstIndex(where predicate: (Object) -> Bool) -> Int? {
    (0..<count).first { predicate(self[$0]) }
  }

  package mutating func append(_ object: Object) {
    borrowed.append(Unmanaged.passRetained(object).takeUnretainedValue())
  }

  /// Takes out an object and closes the gap, so that the order stays.
  package mutating func remove(at place: Int) -> Object {
    borrowed.remove(at: place).takeRetainedValue()
  }

  /// Takes out an object and fills the gap with the last one.
  package mutating func swapRemove(at place: Int) -> Object {
    borrowed.swapRemove(at: place).takeRetainedValue()
  }

  /// Takes out all objects, for the caller to release.
  package mutating func removeAll() -> [Object] {
    let removed = (0..<count).map { borrowed.pointer[$0].takeRetainedValue() }
    borrowed.removeAll()
    return removed
  }
}
