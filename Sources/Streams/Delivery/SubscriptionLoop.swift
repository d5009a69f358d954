/// The subscriptions that a thread makes for one observer, one after the other, because each stream leads to the next.
///
/// A stream that goes on with another one hands it its observer. A source that sends at once ends inside of the call
/// that subscribes to it, so streams that each lead to the next one would nest, and fill the stack. Instead, the
/// subscription that is the last thing a call does waits in the loop until that call has returned.
///
/// ```
///   subscribe to page 1 ──▶ it ends ──▶ page 2 waits ─┐
///            ▲                                        │ the call has returned
///            └────────────────────────────────────────┘
/// ```
///
/// It belongs to one thread, which finds it by a slot of its own.
@usableFromInline
final class SubscriptionLoop {
  private typealias Waiting = (observer: AnyObject, cause: CarriedCause, subscribe: () -> Void)

  /// The observer that is subscribing.
  private var observer: AnyObject
  private var next: Waiting?
  /// The loop inside of which this one runs.
  private let outer: SubscriptionLoop?

  private init(_ observer: AnyObject, inside outer: SubscriptionLoop?) {
    self.observer = observer
    self.outer = outer
  }

  /// Subscribes an observer to a stream: now, or, if this thread is just subscribing for `former`, when that call has
  /// returned.
  ///
  /// - Parameters:
  ///   - observer: subscribes.
  ///   - former: the observer in whose place it comes; its subscription ends with this one. Often it is the same one.
  @usableFromInline
  static func run(for observer: AnyObject, after former: AnyObject, _ subscribe: @escaping () -> Void) {
    let outer = ofThread
    var candidate = outer
    while let loop = candidate {
      if loop.observer === former {
        assert(loop.next == nil, "An observer was handed to two streams.")
        loop.next = (observer, .current, subscribe)
        return
      }
      candidate = loop.outer
    }
    let loop = SubscriptionLoop(observer, inside: outer)
    ofThread = loop
    subscribe()
    while let next = loop.next.take() {
      loop.observer = next.observer
      next.cause.deliver(next.subscribe)
    }
    ofThread = outer
  }

  private static let slot = ThreadSlot()

  /// The innermost loop of this thread. The call that runs it keeps it alive.
  private static var ofThread: SubscriptionLoop? {
    get { slot.pointer.map { Unmanaged<SubscriptionLoop>.fromOpaque($0).takeUnretainedValue() } }
    set { slot.pointer = newValue.map { Unmanaged.passUnretained($0).toOpaque() } }
  }
}
