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
    if !group.isEmpty { changed.append(.passUnretained(group)) }
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
    // No observer has a token below zero, so none is told.
    for index in 0..<changed.count { changed.withObject(at: index) { $0.goOn(message, from: 0, below: 0, access) } }
    for index in (0..<changed.count / 2).reversed() { sink(from: index) }
    while changed.count > 0 {
      let limit = min(nextToken(1), nextToken(2))
      assert(nextToken(0) <= limit, "The group on top of the heap is not the one that comes first.")
      changed.withObject(at: 0) { $0.goOn(message, from: Int($0.cursor), below: limit, access) }
      assert(nextToken(0) >= limit, "A group stopped before the limit that it was given.")
      if nextToken(0) == .max { _ = changed.swapRemove(at: 0) }
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
      swap(&changed.address(at: child).pointee, &changed.address(at: parent).pointee)
      parent = child
    }
  }

  private func nextToken(_ index: Int) -> Int {
    index < changed.count ? changed.withObject(at: index) { $0.nextToken } : .max
  }
}
