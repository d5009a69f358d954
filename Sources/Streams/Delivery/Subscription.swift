/// The token of a subscription. Releasing it cancels.
///
///     let subscription = ticks.subscribe { print($0) }   // prints until `subscription` is released
///
/// Keep it in a property, put it in a ``SubscriptionBag``, or call ``detach()`` to let the subscription run until its
/// stream ends.
///
/// > Warning: A local variable does not keep a token until the end of its scope. The optimizer may release it right
/// after its last use, and that cancels. An array `let subscriptions = list.map { $0.subscribe { … } }` that is not
/// used later delivers nothing in a release build, although it works in a debug build. Keep such tokens in a property
/// or in a bag, use `withExtendedLifetime(subscriptions) { … }` around the code that needs them, or call ``detach()``.
///
/// - Concurrency: every member may be called from any thread and from inside callbacks. Cancelling does not wait: once
///   ``cancel()`` has returned no new callback starts, but a callback that another thread has begun, or has just
///   decided to begin, may finish.
/// - Complexity: cancelling is O(log observers) amortised, for a source with many observers, in any order of
///   cancelling. The other members are O(1).
public final class Subscription: Sendable {
  /// The only property: many subscriptions are kept at once, and one byte more would take a larger block of memory.
  private let lifetime: Lifetime

  @usableFromInline
  package init(_ lifetime: Lifetime) {
    self.lifetime = lifetime
  }

  /// Makes a token for something that is not a stream. `teardown` runs once, at the first cancellation or on release.
  ///
  /// - Complexity: O(1).
  public convenience init(_ teardown: @escaping @Sendable () -> Void) {
    self.init(Lifetime(teardown))
  }

  deinit {
    if !lifetime.isDetached { lifetime.terminate() }
  }

  /// Is `true` until the subscription is cancelled or its stream ends. Callbacks may come until then.
  ///
  /// - Complexity: O(1).
  public var isActive: Bool { lifetime.isActive }

  /// Cancels the subscription. The observer gets nothing more, not even an end. The subscription to upstream is
  /// cancelled, and what the observer captured is released; if a delivery is running on another thread, when that
  /// delivery is over. Cancelling again does nothing.
  ///
  /// - Concurrency: may be called from any thread, also from the observer itself, and waits for no callback.
  /// - Complexity: O(log observers) amortised, for a source with many observers.
  public func cancel() {
    lifetime.terminate()
  }

  /// Lets the subscription live until its stream ends, without a token. ``cancel()`` still works.
  ///
  /// - Complexity: O(1).
  public func detach() {
    lifetime.detach()
  }
}
