import Synchronization

/// One producer and many observers. A ``Subject`` is a hub and the handle that owns it.
///
/// Observers and observables hold the hub; only handles (a subject, a producer) decide when it ends.
///
/// Safe to share: the observers and the end belong to the queue, the replayed values are behind their lock, and the
/// count is atomic.
@usableFromInline
package final class Hub<Element: Sendable, Failure: Error>: ObserverSource {
  /// The newest values, for each newcomer and for any thread.
  @usableFromInline
  final class Replay: Sendable {
    private let limit: Int
    private let values: Lock<RingBuffer<(value: Element, cause: CarriedCause)>>

    init(_ limit: Int, initial: Element?) {
      self.limit = limit
      var values = RingBuffer<(value: Element, cause: CarriedCause)>()
      if let initial { values.append((initial, .unknown)) }
      self.values = Lock(values)
    }

    var latest: Element? { values.withLock { $0.last?.value } }
    var elements: [(value: Element, cause: CarriedCause)] { values.withLock(\.elements) }

    @usableFromInline
    func keep(_ value: Element) {
      let cause = CarriedCause.current
      let dropped = values.withLock { values -> (value: Element, cause: CarriedCause)? in
        values.append((value, cause))
        let dropped = values.count > limit ? values.popFirst() : nil
        assert(values.count <= limit, "A hub replays more values than it was asked to.")
        return dropped
      }
      _ = consume dropped
    }
  }

  /// The state that the queue protects.
  @usableFromInline
  package struct Shell: ~Copyable, DeliveryShell {
    @usableFromInline var observers = ObserverList<Observer<Element, Failure>>()
    @usableFromInline let replay: Replay?
    private var lastToken = 0
    private var end: StreamEnd<Failure>?

    init(replay: Replay?) {
      self.replay = replay
    }

    @inlinable
    @inline(__always)
    package mutating func deliver(_ value: Element, _ access: QueueAccess) {
      replay?.keep(value)
      observers.forEach { $0.send(value) }
    }

    /// Adds an observer. It gets what is replayed, then either the end or the values that follow.
    mutating func add(_ observer: Observer<Element, Failure>) {
      for kept in replay?.elements ?? [] { kept.cause.deliver { observer.send(kept.value) } }
      if let end { return observer.end(end) }
      guard observer.lifetime.isActive else { return }
      lastToken += 1
      observer.token = lastToken
      observers.append(observer, token: lastToken)
    }

    mutating func remove(_ observer: Observer<Element, Failure>) -> Observer<Element, Failure>? {
      observers.remove(observer, token: observer.token)
    }

    mutating func finish(_ end: StreamEnd<Failure>) {
      assert(self.end == nil, "A hub ended twice.")
      self.end = end
      for observer in observers.removeAll() { observer.end(end) }
    }

    /// Calls `acknowledgement` when all observers have handled what was sent to them.
    func acknowledge(_ acknowledgement: @escaping @Sendable () -> Void) {
      // One more than there are observers, so that none of them can be the last before all were asked.
      let open = CountDownLatch(observers.count + 1, then: acknowledgement)
      observers.forEach { observer in observer.acknowledge { open.countDown() } }
      open.countDown()
    }
  }

  @usableFromInline package let queue: DeliveryQueue<Shell>
  private let replay: Replay?
  private let count = Atomic<Int>(0)

  /// - Parameters:
  ///   - replayCount: the number of newest values that each newcomer gets.
  ///   - initial: the first of them.
  ///   - policy: the bound of the queue's line.
  package init(replaying replayCount: Int, initial: Element? = nil, buffering policy: BufferingPolicy = .unbounded) {
    replay = replayCount > 0 ? Replay(replayCount, initial: initial) : nil
    queue = DeliveryQueue(Shell(replay: replay), buffering: policy)
  }

  /// The number of active subscriptions.
  package var observerCount: Int { count.load(ordering: .acquiring) }

  /// The value delivered last, if the hub replays.
  package var latest: Element? { replay?.latest }

  /// Sends to all observers. Returns `false` once the hub has ended.
  @inlinable
  @inline(__always)
  package func send(_ value: Element) -> Bool {
    queue.send(value)
  }

  /// Ends the stream after everything that was sent. Returns `false` if it has ended before.
  package func end(_ end: StreamEnd<Failure>) -> Bool {
    queue.close { shell, _ in shell.finish(end) }
  }

  /// Calls `acknowledgement` when every observer has handled what was sent before.
  package func acknowledge(_ acknowledgement: @escaping @Sendable () -> Void) {
    queue.run { shell, _ in shell.acknowledge(acknowledgement) }
  }

  package func attach(_ observer: Observer<Element, Failure>) {
    count.add(1, ordering: .acquiringAndReleasing)
    observer.leave(self)
    queue.run { shell, _ in shell.add(observer) }
  }

  @usableFromInline
  package func remove(_ observer: AnyObject) {
    let observer = unsafeDowncast(observer, to: Observer<Element, Failure>.self)
    count.subtract(1, ordering: .acquiringAndReleasing)
    queue.maintain { shell, _ in shell.remove(observer) }
  }
}
