import Streams

/// One round of notifications: first it is found out what changed, then everyone concerned is told, so that whatever is
/// read meanwhile belongs to one snapshot.
///
/// Safe to share: owned by the aggregator's delivery queue. The storage is kept from round to round.
@usableFromInline
final class Round: Sendable {
  /// The lists of listeners to what changed. Nobody leaves a list, nor a list the tree, during a round.
  @usableFromInline let changed = Confined(BorrowedList<Listeners>())
  private let lastOrder = Confined(0)

  init() {}

  /// The place in line of the next subscriber.
  func nextOrder() -> Int {
    lastOrder.value += 1
    return lastOrder.value
  }

  @inlinable
  @inline(__always)
  func note(_ listeners: Listeners) {
    if !listeners.isEmpty { changed.value.append(listeners) }
  }

  /// Tells everyone who was noted, in the order of subscription.
  @inlinable
  @inline(__always)
  func notify() {
    switch changed.value.count {
    case 0: return
    case 1: changed.value.withObject(at: 0) { $0.all.value.forEach { $0.tell() } }
    default: notifyInOrder()
    }
    changed.value.removeAll()
  }

  /// Several lists, each in order: merged, so that all are told in the order of all. Nothing is retained.
  ///
  /// The lists become a heap, the one whose next listener comes first on top.
  ///
  /// - Complexity: O(listeners × log lists).
  @usableFromInline
  func notifyInOrder() {
    changed.value.forEach { $0.startOver() }
    for place in (0..<changed.value.count / 2).reversed() { sink(from: place) }
    while changed.value.count > 0 {
      let isDone = changed.value.withObject(at: 0) { $0.tellNext() }
      if isDone { _ = changed.value.swapRemove(at: 0) }
      sink(from: 0)
    }
  }

  /// Moves the list at a place of the heap down to where it belongs.
  private func sink(from place: Int) {
    let count = changed.value.count
    var parent = place
    while true {
      var child = 2 * parent + 1
      guard child < count else { return }
      if child + 1 < count, nextOrder(child + 1) < nextOrder(child) { child += 1 }
      guard nextOrder(child) < nextOrder(parent) else { return }
      changed.value.swapAt(parent, child)
      parent = child
    }
  }

  private func nextOrder(_ list: Int) -> Int {
    changed.value.withObject(at: list) { $0.next.value.order }
  }
}
