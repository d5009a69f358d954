import RASPPrimitives

/// Watches a source while it is used, and learns of the tries of every `retry` in it.
///
/// All functions may be called from any thread, and with no lock held: a monitor tells others what it learns.
package protocol StreamMonitor: AnyObject, Sendable {
  /// Returns the monitor of a part of the source that has a name; `nil` if there is none for it.
  func monitor(named name: String, on scheduler: any Scheduler) -> (any StreamMonitor)?

  /// A value was received.
  func received()

  /// The stream has ended, by itself.
  func ended(_ failure: (any Error)?)

  /// The subscription is over. Nothing happens if the stream has ended before.
  func cancelled()

  /// A `retry` was subscribed to.
  ///
  /// - Returns: the number by which the other functions know it.
  func retryBegan() -> Int

  /// The stream of a `retry` has failed, and will be tried again.
  func retryFailed(_ retry: Int)

  /// A `retry` begins a new try.
  func retryTried(_ retry: Int)

  /// The first value has come after a failure.
  func retryRecovered(_ retry: Int)

  /// A `retry` is over.
  func retryEnded(_ retry: Int)

  /// Whether this thread is delivering events of the source to its subscribers.
  var isDelivering: Bool { get }
}

/// The monitor of the source that is being subscribed to.
///
/// Operators that tell a monitor something look here when they are subscribed to. The scope is bound to the task as
/// long as the subscribing lasts. Then it is closed, because a task that the source has started keeps what is bound.
///
/// Safe to share: the monitor is behind the lock.
package final class MonitorScope: Sendable {
  @TaskLocal private static var innermost: MonitorScope?

  /// `nil` once the scope is closed.
  private let monitor: Lock<(any StreamMonitor)?>
  private let wasDelivering: Bool

  private init(_ monitor: any StreamMonitor) {
    self.monitor = Lock(monitor)
    wasDelivering = monitor.isDelivering
  }

  /// The monitor; `nil` if no source that is watched is being subscribed to.
  ///
  /// A source may send while it is subscribed to. What its subscribers subscribe to then is no part of the source.
  package static var current: (any StreamMonitor)? {
    guard let scope = innermost, let monitor = scope.monitor.withLock({ $0 }) else { return nil }
    return scope.wasDelivering || !monitor.isDelivering ? monitor : nil
  }

  /// Makes `monitor` the current one while `subscribe` runs.
  package static func bind(_ monitor: any StreamMonitor, _ subscribe: () -> Void) {
    let scope = MonitorScope(monitor)
    $innermost.withValue(scope, operation: subscribe)
    let closed = scope.monitor.exchange(with: nil)
    _ = consume closed
  }
}
