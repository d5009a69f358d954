import Streams

/// Everyone who listens to one thing (a field, all snapshots, all events), in the order of subscription.
///
/// Safe to share: owned by the aggregator's delivery queue.
@usableFromInline
final class Listeners: Sendable {
  @usableFromInline let all = Confined(ObjectList<Listener>())

  init() {}

  @inlinable
  var isEmpty: Bool { all.value.isEmpty }

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
