import Synchronization

/// Counts the objects that are alive, to show that something was let go of.
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

  /// A tracker with nothing to track.
  public init() {}

  /// How many objects are alive.
  public var liveCount: Int { live.load(ordering: .acquiring) }

  /// A new object; `onRelease` runs when it goes away, after it was counted out.
  public func make(onRelease: @escaping @Sendable () -> Void = {}) -> Object {
    Object(self, onRelease: onRelease)
  }
}
