/// The sending end of one subscription to a hand-made stream: see
/// ``Observable/init(_:)-((Producer<Element,Failure>)->Void)``.
///
/// Every member may be called any number of times, in any order. Nothing passes after the end. Releasing the last
/// reference finishes the stream.
///
/// - Ordering: sends are serialised: a value is delivered after all that were sent before it.
/// - Concurrency: every member may be called from any thread.
/// - Complexity: every member is O(1), beside the cost of the observer and of the teardowns.
public final class Producer<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline let hub: Hub<Element, Failure>
  @usableFromInline let lifetime: Lifetime

  @inlinable
  init(hub: Hub<Element, Failure>, lifetime: Lifetime) {
    self.hub = hub
    self.lifetime = lifetime
  }

  deinit {
    _ = hub.finish()
  }

  /// Is `true` until the stream has ended or its subscription was cancelled. A source that produces in a loop asks
  /// before each value.
  @inlinable
  public var isActive: Bool { lifetime.isActive && hub.queue.isOpen }

  /// Sends a value to the observer.
  ///
  /// - Ordering: a value that is sent while another one is being delivered is delivered after it. `send` may return
  ///   before that.
  /// - Returns: `true` if the value was accepted; `false` once the stream has ended or was cancelled, and a source may
  ///   stop producing then. The line of a producer has no bound, so `false` never means that a value was dropped.
  @inlinable
  @discardableResult
  public func send(_ value: Element) -> Bool {
    lifetime.isActive && hub.send(value)
  }

  /// Sends several values to the observer, with nothing between them: what has arrived in one packet stays together.
  ///
  /// - Ordering: as for ``send(_:)``. The sequence is read before the first value is delivered.
  /// - Returns: `true` if the values were accepted; `false` once the stream has ended or was cancelled.
  /// - Complexity: O(values), beside the cost of the observer.
  @inlinable
  @discardableResult
  public func send(contentsOf values: some Sequence<Element>) -> Bool {
    lifetime.isActive && hub.queue.send(contentsOf: Array(values))
  }

  /// Ends the stream. What was sent before is delivered first.
  ///
  /// - Returns: `false` if it had ended before.
  @discardableResult
  public func finish() -> Bool {
    hub.finish()
  }

  /// Ends the stream with a failure. What was sent before is delivered first.
  ///
  /// - Returns: `false` if it had ended before.
  @discardableResult
  public func fail(_ failure: Failure) -> Bool {
    hub.fail(failure)
  }

  /// Runs `teardown` exactly once, when the subscription is over: ended, cancelled, or released. If that has happened
  /// already, `teardown` runs now.
  ///
  /// A teardown that holds the producer keeps the stream from finishing by itself.
  ///
  /// - Concurrency: `teardown` runs on the thread that ends or cancels the subscription.
  public func onTermination(_ teardown: @escaping @Sendable () -> Void) {
    lifetime.onTermination(teardown)
  }
}
