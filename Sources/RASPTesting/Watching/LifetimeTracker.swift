import Synchronization

/// Counts the objects that are alive, to show that captured objects were released.
///
///     let tracker = LifetimeTracker()
///     let subscription = stream.subscribe { [object = tracker.make()] _ in _ = object }
///     subscription.cancel()
///     tracker.liveCount   // 0
public final class LifetimeTracker: Sendable {
  /// An object that is counted while it lives.
  public final class Object: Sendable {
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
  public init() {}

  /// The number of objects that are alive.
  public var liveCount: Int { live.load(ordering: .acquiring) }

  /// Makes an object. `onRelease` runs when it is released, after it was counted out.
  public func make(onRelease: @escaping @Sendable () -> Void = {}) -> Object {
    Object(self, onRelease: onRelease)
  }
}
