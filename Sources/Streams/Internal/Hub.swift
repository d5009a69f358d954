import Synchronization

/// One producer, many observers: what a ``Subject`` is made of, without the handle that owns it.
///
/// Observers and observables hold the hub; only handles (a subject, a producer) decide when it ends.
///
/// Safe to share: `observers` and `end` belong to the delivery queue, `replay` is behind its lock.
@usableFromInline
package final class Hub<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline let queue = DeliveryQueue<Element>()
  @usableFromInline let observers = Confined(ObjectList<Observer<Element, Failure>>())
  @usableFromInline let end = Confined<StreamEnd<Failure>?>(nil)
  @usableFromInline let replayCount: Int
  @usableFromInline let replay: Lock<RingBuffer<Element>>
  @usableFromInline let count = Atomic<Int>(0)

  @usableFromInline
  package init(replaying replayCount: Int, initial: Element? = nil) {
    self.replayCount = max(0, replayCount)
    var values = RingBuffer<Element>()
    if let initial { values.append(initial) }
    replay = Lock(values)
  }

  /// The subscriptions that are active.
  package var observerCount: Int { count.load(ordering: .acquiring) }

  /// The value delivered last, if the hub replays.
  package var latest: Element? { replay.withLock(\.last) }

  /// Sends to all observers; `false` once the hub has ended.
  @inlinable
  @inline(__always)
  package func send(_ value: Element) -> Bool {
    guard queue.enter() else { return sendLater(value) }
    deliver(value)
    if !queue.leave() { drain() }
    return true
  }

  /// For a queue that was not idle.
  @inlinable
  @inline(never)
  func sendLater(_ value: Element) -> Bool {
    switch queue.admit(value) {
    case .queued: return true
    case .refused: return false
    case .entered:
      deliver(value)
      if !queue.leave() { drain() }
      return true
    }
  }

  @inlinable
  @inline(never)
  func drain() {
    queue.drain { deliver($0) }
  }

  /// Ends the stream behind everything sent; `false` if it has ended before.
  @usableFromInline
  package func end(_ end: StreamEnd<Failure>) -> Bool {
    queue.close({ self.deliver(end) }, deliver: { deliver($0) })
  }

  /// Calls `resume` when every observer has handled what was sent before.
  package func barrier(_ resume: @escaping @Sendable () -> Void) {
    queue.run({ self.signalBarrier(resume) }, deliver: { deliver($0) })
  }

  @usableFromInline
  package func attach(_ observer: Observer<Element, Failure>) {
    let lifetime = observer.lifetime
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    lifetime.onTermination { self.detach(lifetime) }
    queue.run({ self.admit(observer) }, deliver: { deliver($0) })
  }

  private func signalBarrier(_ resume: @escaping @Sendable () -> Void) {
    // One more than there are observers, so that none of them can be the last before all were asked.
    let open = CountDownLatch(observers.value.count + 1, then: resume)
    observers.value.forEach { observer in observer.signal(.barrier { open.step() }) }
    open.step()
  }

  private func detach(_ lifetime: Lifetime) {
    count.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    let removed = queue.maintain {
      remove(lifetime)
    } orLater: {
      _ = self.remove(lifetime)
    }
    _ = consume removed
  }

  private func remove(_ lifetime: Lifetime) -> Observer<Element, Failure>? {
    observers.value.firstIndex { $0.lifetime === lifetime }.map { observers.value.remove(at: $0) }
  }

  @inlinable
  @inline(__always)
  func deliver(_ value: Element) {
    if replayCount > 0 { keep(value) }
    observers.value.forEach { $0.send(value) }
  }

  @usableFromInline
  func keep(_ value: Element) {
    let dropped = replay.withLock { values -> Element? in
      values.append(value)
      return values.count > replayCount ? values.popFirst() : nil
    }
    _ = consume dropped
  }

  private func deliver(_ end: StreamEnd<Failure>) {
    self.end.value = end
    for observer in observers.value.removeAll() { observer.end(end) }
  }

  /// A newcomer hears what is replayed, then either the end or whatever comes next.
  private func admit(_ observer: Observer<Element, Failure>) {
    if replayCount > 0 {
      for value in replay.withLock(\.elements) { observer.send(value) }
    }
    if let end = end.value {
      observer.end(end)
    } else if observer.lifetime.isActive {
      observers.value.append(observer)
    }
  }
}
