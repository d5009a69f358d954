import Synchronization

/// One producer and many observers. A ``Subject`` is a hub and the handle that owns it.
///
/// Observers and observables hold the hub; only handles (a subject, a producer) decide when it ends.
///
/// Safe to share: the observers and the end belong to the queue, the replayed values are behind their lock, and the
/// count is atomic.
@usableFromInline
package final class Hub<Element: Sendable, Failure: Error>: ObserverSource {
  /// The state that the queue protects. Its layout does not depend on the types, so code that is not specialised looks
  /// none of them up to use it.
  @usableFromInline
  struct Shell: ~Copyable, DeliveryShell {
    @usableFromInline var observers = ObserverList()
    @usableFromInline let replay: Replay<Element>?
    var lastToken = 0
    /// Tells an observer of the end, once the stream has ended.
    var tellEnd: ((AnyObject) -> Void)?

    @inlinable
    init(replay: Replay<Element>?) {
      self.replay = replay
    }

    @inlinable
    @inline(__always)
    mutating func deliver(_ value: Element, _ access: QueueAccess) {
      if let replay { replay.keep(value) }
      observers.forEach {
        // By `observer(_:)` it would be retained for each value.
        let observer = unsafeDowncast($0, to: Observer<Element, Failure>.self)
        if observer.lifetime.isActive {
          observer.handle(value)
        } else if observer.lifetime.isCutOff {
          // It was accepted before a failure has cut the observer off.
          access.countDropped()
        }
      }
    }

    /// Adds an observer. It gets what is replayed, then the values that follow.
    ///
    /// - Returns: `false` if it is to be told of the end.
    @inline(__always)
    mutating func add(_ observer: Observer<Element, Failure>) -> Bool {
      if let replay { replay.forEach { observer.send($0) } }
      guard tellEnd == nil else { return false }
      guard observer.lifetime.isActive else { return true }
      lastToken += 1
      observer.token = lastToken
      observers.append(observer, token: lastToken)
      return true
    }
  }

  @usableFromInline let queue: DeliveryQueue<Shell>
  @usableFromInline let replay: Replay<Element>?
  /// Tells an observer that the stream has finished. It is made where the types are known: code that is not specialised
  /// looks the type of an end up to make one.
  @usableFromInline let finishObserver: @Sendable (AnyObject) -> Void
  private let count = Atomic<Int>(0)

  /// - Parameters:
  ///   - count: the number of newest values that each newcomer gets.
  ///   - initial: the first of them.
  ///   - policy: the bound of the queue's line.
  @inlinable
  package init(replaying count: Int = 0, initial: Element? = nil, buffering policy: BufferingPolicy = .unbounded) {
    replay = count > 0 ? Replay(count, initial: initial) : nil
    finishObserver = { Hub.observer($0).end(.finished) }
    queue = DeliveryQueue(Shell(replay: replay), buffering: policy)
  }

  /// An observer of the list, which has this type.
  @inlinable
  @inline(__always)
  static func observer(_ object: AnyObject) -> Observer<Element, Failure> {
    unsafeDowncast(object, to: Observer<Element, Failure>.self)
  }

  /// The number of active subscriptions.
  package var observerCount: Int { count.load(ordering: .acquiring) }

  /// The value delivered last, if the hub replays.
  @inlinable
  var latest: Element? { replay?.latest }

  /// Sends to all observers. Returns `false` once the hub has ended.
  @inlinable
  @inline(__always)
  package func send(_ value: Element) -> Bool {
    queue.send(value)
  }

  /// Ends the stream after everything that was sent. Returns `false` if it has ended before.
  @usableFromInline
  package func end(_ end: StreamEnd<Failure>) -> Bool {
    switch end {
    case .finished: finish()
    case .failed(let failure): fail(failure)
    }
  }

  /// Finishes the stream after everything that was sent. Returns `false` if it has ended before.
  ///
  /// - Parameter isDropping: whether it is finished behind the value that is being delivered, and what waits is
  ///   dropped.
  func finish(droppingPending isDropping: Bool = false) -> Bool {
    queue.close(droppingPending: isDropping) { self.endAll($1, then: self.finishObserver) }
  }

  /// Lets the stream fail after everything that was sent. Returns `false` if it has ended before.
  func fail(_ failure: Failure) -> Bool {
    queue.close { self.endAll($1) { Hub.observer($0).end(.failed(failure)) } }
  }

  // A function that changes the shell takes the queue to a local variable first: the thread sanitizer takes the access
  // for one that changes the property, which other threads read.
  //
  // It is not inlined, and not part of the shell: code that is not specialised looks up the types of its local
  // variables when it is entered, and the type of a structure whose method it calls.

  @inline(never)
  private func endAll(_ access: QueueAccess, then tellEnd: @escaping (AnyObject) -> Void) {
    let queue = queue
    assert(queue.shell[access].tellEnd == nil, "A hub ended twice.")
    queue.shell[access].tellEnd = tellEnd
    let observers = queue.shell[access].observers.removeAll()
    observers.forEach { Hub.observer($0).noteLeft() }
    observers.forEach(tellEnd)
  }

  /// Calls `acknowledgement` when every observer has handled what was sent before.
  @usableFromInline
  func acknowledge(_ acknowledgement: @escaping @Sendable () -> Void) {
    queue.run { shell, _ in
      // One more than there are observers, so that none of them can be the last before all were asked.
      let open = CountDownLatch(shell.observers.count + 1, then: acknowledgement)
      shell.observers.forEach { observer in
        Hub.observer(observer).acknowledge { open.countDown() }
      }
      open.countDown()
    }
  }

  @usableFromInline
  package func attach(_ observer: Observer<Element, Failure>) {
    count.add(1, ordering: .acquiringAndReleasing)
    observer.leave(self)
    queue.run {
      add(observer, $0)
    } orLater: {
      { self.add(observer, $0) }
    }
  }

  private func add(_ observer: Observer<Element, Failure>, _ access: QueueAccess) {
    let queue = queue
    if !queue.shell[access].add(observer) { queue.shell[access].tellEnd?(observer) }
  }

  @usableFromInline
  package func remove(_ observer: AnyObject) {
    let observer = Hub.observer(observer)
    count.subtract(1, ordering: .acquiringAndReleasing)
    if observer.hasLeft { return }
    let queue = queue
    var removed: AnyObject?
    queue.run(delivering: false) {
      removed = queue.shell[$0].observers.remove(observer, token: observer.token)
    } orLater: {
      { _ = queue.shell[$0].observers.remove(observer, token: observer.token) }
    }
    _ = consume removed
  }
}
