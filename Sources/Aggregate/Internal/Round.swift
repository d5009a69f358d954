import Streams

/// One round of notifications: first it is found out what changed, then everyone concerned is told, so that whatever is
/// read meanwhile belongs to one snapshot.
///
/// Safe to share: owned by the aggregator's delivery queue. The storage is kept from round to round.
@usableFromInline
final class Round: Sendable {
  private struct Place {
    let order: Int
    let list: Int
    let index: Int
  }

  /// The lists of listeners to what changed. Nobody leaves a list, nor a list the tree, during a round.
  @usableFromInline let changed = Confined(BorrowedList<Listeners>())
  private let places = Confined<ContiguousArray<Place>>([])
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

  /// Several lists, each in order: told in the order of all.
  @usableFromInline
  func notifyInOrder() {
    for list in 0..<changed.value.count {
      let listeners = changed.value[list]
      for index in 0..<listeners.all.value.count {
        places.value.append(Place(order: listeners.all.value[index].order, list: list, index: index))
      }
    }
    places.value.sort { $0.order < $1.order }
    for place in places.value { changed.value[place.list].all.value[place.index].tell() }
    places.value.removeAll(keepingCapacity: places.value.capacity <= 4096)
  }
}
