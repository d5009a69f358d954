/// The sending end of one subscription to a stream made by hand: see ``Observable/init(_:)``.
///
/// Everything may be called from any thread, any number of times, in any order: sends are serialised, and nothing
/// passes after the end. Releasing the last reference finishes the stream.
public final class Producer<Element: Sendable, Failure: Error>: Sendable {
  private let hub: Hub<Element, Failure>
  private let lifetime: Lifetime

  package init(hub: Hub<Element, Failure>, lifetime: Lifetime) {
    self.hub = hub
    self.lifetime = lifetime
  }

  deinit {
    _ = hub.end(.finished)
  }

  /// Whether anybody listens: neither ended nor cancelled. A source that produces in a loop asks before each value.
  public var isActive: Bool { lifetime.isActive && hub.queue.isOpen }

  /// Sends a value.
  ///
  /// - Returns: `false` once the stream has ended or was cancelled; a source may stop producing then.
  @discardableResult
  public func send(_ value: Element) -> Bool {
    lifetime.isActive && hub.send(value)
  }

  /// Ends the stream; `false` if it had ended before.
  @discardableResult
  public func finish() -> Bool {
    hub.end(.finished)
  }

  /// Ends the stream with a failure; `false` if it had ended before.
  @discardableResult
  public func fail(_ failure: Failure) -> Bool {
    hub.end(.failed(failure))
  }

  /// Runs `teardown` exactly once, when the subscription is over: ended, cancelled, or released. Runs it now if that
  /// has happened already. A teardown that holds the producer keeps the stream from finishing by itself.
  public func onTermination(_ teardown: @escaping @Sendable () -> Void) {
    lifetime.onTermination(teardown)
  }
}
