import Streams

/// One round of notifications: first it is found out what changed, then everyone concerned is told, so that whatever is
/// read meanwhile belongs to one snapshot.
///
/// Safe to share: owned by the aggregator's delivery queue. The storage is kept from round to round.
@usableFromInline
final class Round: Sendable {
  /// How far the merging of one list has come.
  private struct Cursor {
    /// The place in line of the listener at `index`.
    var order: Int
    let list: Int
    var index = 0
  }

  /// The lists of listeners to what changed. Nobody leaves a list, nor a list the tree, during a round.
  @usableFromInline let changed = Confined(BorrowedList<Listeners>())
  /// A heap: the cursor whose listener comes first is on top.
  private let cursors = Confined<ContiguousArray<Cursor>>([])
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
  /// - Complexity: O(listeners × log lists).
  @usableFromInline
  func notifyInOrder() {
    for list in 0..<changed.value.count {
      if let order = order(list, 0) { cursors.value.append(Cursor(order: order, list: list)) }
    }
    for place in (0..<cursors.value.count / 2).reversed() { sink(from: place) }
    while let first = cursors.value.first {
      changed.value.withObject(at: first.list) { $0.all.value.withObject(at: first.index) { $0.tell() } }
      if let next = order(first.list, first.index + 1) {
        cursors.value[0].order = next
        cursors.value[0].index += 1
      } else {
        cursors.value.swapAt(0, cursors.value.count - 1)
        cursors.value.removeLast()
      }
      sink(from: 0)
    }
    if cursors.value.capacity > 4096 { cursors.value = [] }
  }

  /// The place in line of a listener; `nil` behind the end of its list.
  private func order(_ list: Int, _ index: Int) -> Int? {
    changed.value.withObject(at: list) { listeners in
      index < listeners.all.value.count ? listeners.all.value.withObject(at: index) { $0.order } : nil
    }
  }

  /// Moves the cursor at a place of the heap down to where it belongs.
  private func sink(from place: Int) {
    let count = cursors.value.count
    var parent = place
    while true {
      var child = 2 * parent + 1
      guard child < count else { return }
      if child + 1 < count, cursors.value[child + 1].order < cursors.value[child].order { child += 1 }
      guard cursors.value[child].order < cursors.value[parent].order else { return }
      cursors.value.swapAt(parent, child)
      parent = child
    }
  }
}
