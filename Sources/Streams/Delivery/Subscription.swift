import Synchronization

/// The token of a subscription. Releasing it cancels.
///
///     let subscription = ticks.subscribe { print($0) }   // prints until `subscription` goes away
///
/// Keep it in a property, put it in a ``SubscriptionBag``, or say ``detach()`` to let the subscription run until its
/// stream ends.
///
/// ### Concurrency
///
/// Everything here may be called from any thread and from inside callbacks. Cancelling waits for nobody: once
/// ``cancel()`` has returned no new callback starts, and one that another thread has begun, or has just decided to begin,
/// may finish.
public final class Subscription: Sendable {
  private let lifetime: Lifetime
  private let cancelsOnRelease = Atomic<Bool>(true)

  @usableFromInline
  package init(_ lifetime: Lifetime) {
    self.lifetime = lifetime
  }

  /// A token for something that is not a stream: `teardown` runs once, at the first cancellation or on release.
  public convenience init(_ teardown: @escaping @Sendable () -> Void) {
    let lifetime = Lifetime()
    lifetime.onTermination(teardown)
    self.init(lifetime)
  }

  deinit {
    if cancelsOnRelease.load(ordering: .acquiring) { lifetime.terminate() }
  }

  /// Whether callbacks may still come: neither cancelled nor ended.
  public var isActive: Bool { lifetime.isActive }

  /// Ends the subscription without an end: the observer hears nothing more, upstream is let go of, and so is
  /// everything the observer captured (if a delivery is under way, when that delivery is over). Cancelling again does
  /// nothing.
  public func cancel() {
    lifetime.terminate()
  }

  /// Lets the subscription live until its stream ends, without a token. ``cancel()`` still works.
  public func detach() {
    cancelsOnRelease.store(false, ordering: .releasing)
  }
}
