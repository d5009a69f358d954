import Streams

/// Everyone who listens to one thing (a field, all snapshots, all events), in the order of subscription.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class Listeners: Sendable {
  /// A listener on the list, and its place in the line of all.
  struct Next {
    var index = 0
    var order = 0
  }

  @usableFromInline let all = Confined(ObjectList<Listener>())
  /// Who is to be told next, while several lists are told in one order.
  let next = Confined(Next())

  init() {}

  @inlinable
  var isEmpty: Bool { all.value.isEmpty }

  /// Before anybody is told. For a list that is not empty.
  func startOver() {
    next.value = Next(order: all.value.withObject(at: 0) { $0.order })
  }

  /// Tells the next listener.
  ///
  /// - Returns: whether it was the last one.
  func tellNext() -> Bool {
    all.value.withObject(at: next.value.index) { $0.tell() }
    next.value.index += 1
    if next.value.index == all.value.count { return true }
    next.value.order = all.value.withObject(at: next.value.index) { $0.order }
    return false
  }

  func remove(_ lifetime: Lifetime) -> Listener? {
    all.value.firstIndex { $0.lifetime === lifetime }.map { all.value.remove(at: $0) }
  }
}

/// One subscription to something of an aggregator.
///
/// A class whose properties never change, so that calling its closures retains nothing.
@usableFromInline
final class Listener: Sendable {
  /// Rises with each subscription to the aggregator, whatever it is to.
  let order: Int
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let notify: @Sendable () -> Void
  let finish: @Sendable () -> Void

  init(
    order: Int,
    lifetime: Lifetime,
    notify: @escaping @Sendable () -> Void,
    finish: @escaping @Sendable () -> Void
  ) {
    self.order = order
    self.lifetime = lifetime
    self.notify = notify
    self.finish = finish
  }

  @inlinable
  @inline(__always)
  func tell() {
    if lifetime.isActive { notify() }
  }
}
