/// A source that is fed by calls of ``send(_:)``: each value goes to all subscribers.
///
///     let keys = Subject<Character, Never>()
///     let subscription = keys.subscribe { print($0) }
///     keys.send("a")
///
/// A plain subject keeps nothing: a value that is sent while there is no observer is lost. A subject that replays hands
/// the newest values to each newcomer first, also after it has ended, and then the end. A subject never compares: an
/// equal value is delivered again.
///
/// Give others ``observable``; nothing can be sent through it. When the last reference to the subject goes away, its
/// observers are finished, so no `for await` waits for ever.
///
/// ### Ordering
///
/// All observers see one sequence and are called in the order in which they subscribed. A value sent during a delivery,
/// from a callback or from another thread, is delivered after the current one has reached all observers.
///
/// ### Concurrency
///
/// Every member may be called from any thread. Sends are serialised. A value that arrives while another thread delivers
/// waits in a line, and that thread delivers it, so ``send(_:)`` may return before its value is delivered. After 1,024
/// values of other threads in one call, the thread hands the rest of the line over to a task; rule 4 of <doc:Contract>
/// says all of it. ``pendingCount`` tells how many values wait.
///
/// The line is unbounded unless ``init(replaying:buffering:)`` gives it a bound. Then values are dropped under load,
/// and ``droppedCount`` tells how many.
///
/// - Complexity: sending is O(observers), and allocates nothing in a steady state (a benchmark shows it). Subscribing
///   is O(1) amortised, plus the values that are replayed. Cancelling is O(log observers) amortised.
public final class Subject<Element: Sendable, Failure: Error>: ObservableConvertible, Sendable {
  @usableFromInline let hub: Hub<Element, Failure>

  /// Makes a subject that hands the newest `count` values to each newcomer; none unless you say so.
  ///
  /// - Parameters:
  ///   - count: the number of values to replay.
  ///   - policy: what becomes of values that are sent while others are being delivered, see ``BufferingPolicy``. A
  ///     bound drops values under load; ``droppedCount`` tells how many. Only the line of waiting values is bounded,
  ///     not the values that are replayed.
  /// - Complexity: O(1).
  @inlinable
  public init(replaying count: Int = 0, buffering policy: BufferingPolicy = .unbounded) {
    hub = Hub(replaying: count, buffering: policy)
  }

  /// Makes a subject that has a value from the start and hands the newest one to each newcomer.
  ///
  /// - Parameters:
  ///   - initial: the value from the start.
  ///   - policy: what becomes of values that are sent while others are being delivered, as in
  ///     ``init(replaying:buffering:)``.
  /// - Complexity: O(1).
  @inlinable
  public init(initial: Element, buffering policy: BufferingPolicy = .unbounded) {
    hub = Hub(replaying: 1, initial: initial, buffering: policy)
  }

  deinit {
    _ = hub.finish()
  }

  /// Sends a value to all subscribers.
  ///
  /// - Returns: `true` if the value was accepted; `false` if it is not delivered, for one of two reasons: the subject
  ///   has ended, or the bound of its line dropped the value, which ``droppedCount`` counts. A value that was accepted
  ///   may still be dropped later by the policy ``BufferingPolicy/newest(_:)``.
  /// - Ordering: if no other thread delivers, the value has reached all subscribers when this returns. Otherwise, and
  ///   when it is called from a callback, the value waits: the thread that delivers goes on with it, and `send` may
  ///   return before. A call that has delivered 1,024 values of other threads hands the rest of the line over to a task
  ///   on the concurrent pool, events of its own callbacks included. A thread that is alone delivers everything itself.
  /// - Concurrency: may be called from any thread. The caller may come to deliver what other threads send meanwhile, so
  ///   do not call it while you hold a lock that an observer takes.
  /// - Complexity: O(observers) for each value that this call delivers.
  @inlinable
  @discardableResult
  public func send(_ value: Element) -> Bool {
    hub.send(value)
  }

  /// Sends several values to all subscribers, with nothing between them.
  ///
  /// - Returns: `true` if at least one of the values was accepted, or if there are none and the subject has not ended;
  ///   `false` if none of them is delivered, because the subject has ended, or because the bound of its line dropped
  ///   all of them. ``droppedCount`` counts what a bound drops.
  /// - Ordering: as for ``send(_:)``. What a callback sends waits until the last of the values has been delivered.
  /// - Concurrency: may be called from any thread, as ``send(_:)``. The sequence is read before the first value is
  ///   delivered.
  /// - Complexity: O(values × observers).
  @inlinable
  @discardableResult
  public func send(contentsOf values: some Sequence<Element>) -> Bool {
    // Collected first: a sequence is user code, which must not run while the queue is owned.
    hub.queue.send(contentsOf: Array(values))
  }

  /// Ends the stream. What was sent before is delivered first.
  ///
  /// - Returns: `false` if it had ended before.
  /// - Complexity: O(observers).
  @discardableResult
  public func finish() -> Bool {
    hub.finish()
  }

  /// Ends the stream, and says what becomes of the values that wait.
  ///
  /// - Parameter isDropping: whether the values that wait are dropped, so that the end comes right behind the value
  ///   that is being delivered. ``droppedCount`` counts them.
  /// - Returns: `false` if it had ended before.
  /// - Complexity: O(observers + values that are dropped).
  @discardableResult
  public func finish(droppingPending isDropping: Bool) -> Bool {
    hub.finish(droppingPending: isDropping)
  }

  /// Ends the stream with a failure. What was sent before is delivered first.
  ///
  /// - Returns: `false` if it had ended before.
  /// - Complexity: O(observers).
  @discardableResult
  public func fail(_ failure: Failure) -> Bool {
    hub.fail(failure)
  }

  /// The stream of the values that are sent. It does not keep the subject alive.
  ///
  /// - Complexity: O(1). Subscribing is O(1) amortised, plus the values that are replayed; cancelling is O(log
  ///   observers) amortised.
  public var observable: Observable<Element, Failure> {
    let hub = hub
    return Observable(attach: { hub.attach($0) })
  }

  /// The value delivered last, or the one being delivered; `nil` if there is none or the subject does not replay.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var latest: Element? { hub.latest }

  /// The number of active subscriptions.
  ///
  /// - Complexity: O(1).
  public var observerCount: Int { hub.observerCount }

  /// The number of items that wait while another one is being delivered: values, and changes of subscriptions. A bound
  /// counts and drops values only, so this number may be greater than the bound.
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int { hub.queue.pendingCount }

  /// The number of values that the bound of the line has dropped so far, and of those that were accepted and then cut
  /// off: they waited here while another input of the merge failed for which they waited (rule 4 of <doc:Contract>).
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { hub.queue.droppedCount }
}
