import Synchronization

/// Counts the objects that are alive, to show that captured objects were released.
///
///     let tracker = LifetimeTracker()
///     let subscription = stream.subscribe { [object = tracker.make()] _ in _ = object }
///     subscription.cancel()
///     tracker.liveCount   // 0
package final class LifetimeTracker: Sendable {
  /// An object that is counted while it lives.
  package final class Object: Sendable {
    private let tracker: LifetimeTracker
    private let onRelease: @Sendable () -> Void

    fileprivate init(_ tracker: LifetimeTracker, onRelease: @escaping @Sendable () -> Void) {
      self.tracker = tracker
      self.onRelease = onRelease
      tracker.live.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    deinit {
      tracker.live.wrappingSubtract(1, ordering: .acquiringAndReleasing)
      onRelease()
    }
  }

  private let live = Atomic<Int>(0)

  /// Makes a tracker without objects.
  package init() {}

  /// The number of objects that are alive.
  package var liveCount: Int { live.load(ordering: .acquiring) }

  /// Makes an object. `onRelease` runs when it is released, after it was counted out.
  package func make(onRelease: @escaping @Sendable () -> Void = {}) -> Object {
    Object(self, onRelease: onRelease)
  }
}
