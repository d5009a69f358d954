/// A collection of subscriptions that end together: when the bag is cancelled or released.
///
/// Subscriptions that have ended by themselves are removed as the bag grows.
///
/// - Concurrency: every member may be called from any thread.
public final class SubscriptionBag: Sendable {
  private struct Contents: Sendable {
    var subscriptions: [Subscription] = []
    var sweepAt = 16
  }

  /// `nil` once cancelled. Subscriptions are cancelled and released outside the lock.
  private let contents = Lock<Contents?>(Contents())

  /// Makes an empty bag.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Adds a subscription; cancels it at once if the bag has been cancelled.
  ///
  /// - Complexity: O(1) amortised.
  public func insert(_ subscription: Subscription) {
    let (kept, ended) = contents.withLock { contents -> (Bool, [Subscription]) in
      guard var current = contents else { return (false, []) }
      contents = nil
      var ended: [Subscription] = []
      current.subscriptions.append(subscription)
      if current.subscriptions.count >= current.sweepAt {
        // Asked once: one that ends meanwhile stays, and is not released under the lock.
        let all = current.subscriptions
        current.subscriptions = []
        for subscription in all {
          if subscription.isActive { current.subscriptions.append(subscription) } else { ended.append(subscription) }
        }
        current.sweepAt = max(16, current.subscriptions.count * 2)
      }
      contents = current
      return (true, ended)
    }
    _ = consume ended
    if !kept { subscription.cancel() }
  }

  /// Cancels everything in the bag, in the order in which it was added, and everything that is added later.
  ///
  /// - Complexity: O(subscriptions), each with the cost of ``Subscription/cancel()``.
  public func cancel() {
    let ended = contents.exchange(with: nil)
    for subscription in ended?.subscriptions ?? [] { subscription.cancel() }
  }

  deinit {
    cancel()
  }
}

extension Subscription {
  /// Hands the subscription to a bag, which cancels it when the bag is cancelled or released.
  ///
  /// - Complexity: O(1) amortised.
  public func store(in bag: SubscriptionBag) {
    bag.insert(self)
  }
}
