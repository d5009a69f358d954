import Streams

/// Everyone who listens to one thing (a field, all snapshots, all events), in the order of subscription.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class Listeners: Sendable {
  @usableFromInline
  struct Listener: Sendable {
    /// Rises with each subscription to the aggregator, whatever it is to.
    @usableFromInline let order: Int
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let notify: @Sendable () -> Void
    @usableFromInline let finish: @Sendable () -> Void
  }

  @usableFromInline let all = Confined<ContiguousArray<Listener>>([])

  init() {}

  @inlinable
  var isEmpty: Bool { all.value.isEmpty }

  func remove(_ lifetime: Lifetime) -> Listener? {
    guard let index = all.value.firstIndex(where: { $0.lifetime === lifetime }) else { return nil }
    return all.value.remove(at: index)
  }
}

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

  @usableFromInline let changed = Confined<ContiguousArray<Listeners>>([])
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
    case 1: notifyAll(of: changed.value[0])
    default: notifyInOrder()
    }
    changed.value.removeAll(keepingCapacity: true)
  }

  @inlinable
  func notifyAll(of listeners: Listeners) {
    listeners.all.value.withUnsafeBufferPointer { listeners in
      for index in listeners.indices where listeners[index].lifetime.isActive { listeners[index].notify() }
    }
  }

  /// Several lists, each in order: told in the order of all.
  @usableFromInline
  func notifyInOrder() {
    for list in changed.value.indices {
      let listeners = changed.value[list].all.value
      for index in listeners.indices {
        places.value.append(Place(order: listeners[index].order, list: list, index: index))
      }
    }
    places.value.sort { $0.order < $1.order }
    for place in places.value {
      let listener = changed.value[place.list].all.value[place.index]
      if listener.lifetime.isActive { listener.notify() }
    }
    places.value.removeAll(keepingCapacity: places.value.capacity <= 4096)
  }
}
