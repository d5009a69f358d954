/// A source by hand: what is sent to a subject goes to everyone who is subscribed.
///
///     let keys = Subject<Character, Never>()
///     let subscription = keys.observable.subscribe { print($0) }
///     keys.send("a")
///
/// A plain subject keeps nothing: with no observer the value is gone. One that replays hands the newest values to each
/// newcomer first, also after it has ended, and then the end. A subject never compares: an equal value is delivered
/// again.
///
/// Give others ``observable``; it cannot be turned back into something one can send into. When the last reference to
/// the subject goes away, its observers are finished, so that nobody waits for ever.
///
/// ### Ordering
///
/// All observers see one sequence and are called in the order in which they subscribed. A value sent during a
/// delivery, from a callback or from another thread, is delivered after the current one has reached everybody.
///
/// ### Concurrency
///
/// Everything may be called from any thread. Sends are serialised and nothing is lost; ``send(_:)`` may return before
/// its value is delivered, if another thread is delivering.
///
/// - Complexity: sending is O(observers), and allocates nothing in a steady state. Cancelling is O(observers).
public final class Subject<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline let hub: Hub<Element, Failure>

  /// A subject that hands the newest `count` values to each newcomer; none unless you say so.
  ///
  /// - Parameters:
  ///   - count: how many values are replayed.
  ///   - policy: what becomes of values that are sent while others are being delivered, see ``BufferingPolicy``. A bound
  ///     drops values under load; ``droppedCount`` tells how many.
  public init(replaying count: Int = 0, buffering policy: BufferingPolicy = .unbounded) {
    hub = Hub(replaying: count, buffering: policy)
  }

  /// A subject that has a value from the start and hands the newest one to each newcomer.
  ///
  /// - Parameters:
  ///   - initial: the value from the start.
  ///   - policy: what becomes of values that are sent while others are being delivered.
  public init(initial: Element, buffering policy: BufferingPolicy = .unbounded) {
    hub = Hub(replaying: 1, initial: initial, buffering: policy)
  }

  deinit {
    _ = hub.end(.finished)
  }

  /// Sends a value to everyone who is subscribed.
  ///
  /// - Returns: whether it was accepted: `false` once the subject has ended, and then nothing happens.
  @inlinable
  @discardableResult
  public func send(_ value: Element) -> Bool {
    hub.send(value)
  }

  /// Sends several values to everyone who is subscribed, with nothing between them.
  ///
  /// - Returns: whether they were accepted: `false` once the subject has ended, and then nothing happens.
  /// - Complexity: O(values × observers).
  @inlinable
  @discardableResult
  public func send(contentsOf values: some Sequence<Element>) -> Bool {
    // Collected first: a sequence is user code, which must not run while the queue is owned.
    hub.queue.send(contentsOf: Array(values))
  }

  /// Ends the stream. Whatever was sent before is delivered first.
  ///
  /// - Returns: `false` if it had ended before.
  @discardableResult
  public func finish() -> Bool {
    hub.end(.finished)
  }

  /// Ends the stream with a failure. Whatever was sent before is delivered first.
  ///
  /// - Returns: `false` if it had ended before.
  @discardableResult
  public func fail(_ failure: Failure) -> Bool {
    hub.end(.failed(failure))
  }

  /// The stream of what is sent. It does not keep the subject alive.
  public var observable: Observable<Element, Failure> {
    let hub = hub
    return Observable(attach: { hub.attach($0) })
  }

  /// The value delivered last, or the one being delivered; `nil` if there is none or the subject does not replay.
  public var latest: Element? { hub.latest }

  /// How many subscriptions are active.
  public var observerCount: Int { hub.observerCount }

  /// How many values and changes of subscriptions wait for those that are being delivered.
  public var pendingCount: Int { hub.queue.pendingCount }

  /// How many values the bound of the line has dropped so far.
  public var droppedCount: Int { hub.queue.droppedCount }
}
