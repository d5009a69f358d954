/// A list of objects that other code keeps alive. A walk through it retains, copies and checks nothing.
///
/// The code that puts an object on the list makes sure that the object lives until it is taken off. The first object
/// allocates the memory; from then on it is kept, so a list that is filled and emptied again allocates nothing.
@usableFromInline
struct BorrowedList<Object: AnyObject>: ~Copyable {
  @usableFromInline var objects: UnsafeMutablePointer<Unmanaged<Object>>?
  @usableFromInline var capacity = 0
  @usableFromInline private(set) var count = 0

  @inlinable
  init() {}

  @inlinable
  deinit {
    objects?.deallocate()
  }

  /// Calls `body` with the object at an index below `count`.
  @inlinable
  @inline(__always)
  func withObject<Result>(at index: Int, _ body: (Object) -> Result) -> Result {
    assert(index >= 0 && index < count, "A borrowed list has no such object.")
    return objects.unsafelyUnwrapped[index]._withUnsafeGuaranteedRef { body($0) }
  }

  /// The object at an index below `count`.
  subscript(index: Int) -> Object {
    withObject(at: index) { $0 }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ object: Object) {
    if count == capacity { grow() }
    (objects.unsafelyUnwrapped + count).initialize(to: .passUnretained(object))
    count += 1
  }

  /// Takes out the object at an index and fills the gap with the last one.
  mutating func swapRemove(at index: Int) {
    assert(index >= 0 && index < count, "A borrowed list has no such object.")
    count -= 1
    objects.unsafelyUnwrapped[index] = objects.unsafelyUnwrapped[count]
  }

  mutating func swapAt(_ first: Int, _ second: Int) {
    assert(max(first, second) < count, "A borrowed list has no such object.")
    let object = objects.unsafelyUnwrapped[first]
    objects.unsafelyUnwrapped[first] = objects.unsafelyUnwrapped[second]
    objects.unsafelyUnwrapped[second] = object
  }

  @inlinable
  @inline(__always)
  mutating func removeAll() {
    count = 0
  }

  @usableFromInline
  mutating func grow() {
    let grown = UnsafeMutablePointer<Unmanaged<Object>>.allocate(capacity: max(4, capacity * 2))
    if let objects {
      grown.moveInitialize(from: objects, count: count)
      objects.deallocate()
    }
    objects = grown
    capacity = max(4, capacity * 2)
  }
}
