import Streams

/// One round of notifications. First all changes are found, then the subscribers are told, so everything that they read
/// belongs to one snapshot.
///
/// ```
///   changed   \.heading  [ 2  7 ]
///             \.speed    [ 3  4  9 ]      told in the order of the tokens: 2, 3, 4, 7, 9
/// ```
///
/// It belongs to the owner of the aggregator's queue. Its storage is kept from round to round.
@usableFromInline
package struct Round: ~Copyable {
  /// The groups whose field has changed and that have observers. No observer leaves a group, and no group the tree,
  /// during a round.
  @usableFromInline var changed = BorrowedList<ObserverGroup>()

  @usableFromInline
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func note(_ group: ObserverGroup) {
    if !group.isEmpty { changed.append(group) }
  }

  /// Tells the subscribers of all noted groups, in the order of subscription.
  @inlinable
  @inline(__always)
  package mutating func notify(_ access: QueueAccess) {
    switch changed.count {
    case 0: return
    case 1:
      changed.withObject(at: 0) { group in
        var position = 0
        _ = group.tell(group, .value, &position, .max, access)
      }
    default: notifyInOrder(.value, access)
    }
    changed.removeAll()
  }

  /// Tells several groups in one order. Nothing is retained.
  ///
  /// The groups become a heap with the group whose next observer comes first on top. That group is told up to where the
  /// next one begins.
  ///
  /// - Complexity: O(observers × log groups).
  @usableFromInline
  mutating func notifyInOrder(_ message: ObserverGroup.Message, _ access: QueueAccess) {
    for index in 0..<changed.count { changed.withObject(at: index) { $0.start(message, access) } }
    for index in (0..<changed.count / 2).reversed() { sink(from: index) }
    while changed.count > 0 {
      let limit = min(nextToken(1), nextToken(2))
      assert(nextToken(0) <= limit, "The group on top of the heap is not the one that comes first.")
      changed.withObject(at: 0) { $0.goOn(message, below: limit, access) }
      assert(nextToken(0) >= limit, "A group stopped before the limit that it was given.")
      if nextToken(0) == .max { changed.swapRemove(at: 0) }
      sink(from: 0)
    }
  }

  /// Moves the group at an index of the heap down to where it belongs.
  private mutating func sink(from index: Int) {
    var parent = index
    while true {
      var child = 2 * parent + 1
      guard child < changed.count else { return }
      if nextToken(child + 1) < nextToken(child) { child += 1 }
      guard nextToken(child) < nextToken(parent) else { return }
      changed.swapAt(parent, child)
      parent = child
    }
  }

  private func nextToken(_ index: Int) -> Int {
    index < changed.count ? changed.withObject(at: index) { $0.nextToken.load(ordering: .relaxed) } : .max
  }
}

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
