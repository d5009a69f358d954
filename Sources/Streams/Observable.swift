/// A stream of values that are pushed to its subscribers.
///
/// An observable does not run by itself. It is a value around one closure, "subscribe", and each subscription runs that
/// closure anew, unless the source behind it is shared by nature, like a ``Subject``.
///
///     let ticks: Observable<Int, Never> = .interval(.seconds(1))
///     let even = ticks.filter { $0.isMultiple(of: 2) }.subscribe { print($0) }
///
/// A stream that cannot fail says `Never`, and its users need not handle an error. Values are `Sendable` because any
/// thread may deliver them. The rules that every stream and operator keeps are in <doc:Contract>.
public struct Observable<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline package let attach: @Sendable (Observer<Element, Failure>) -> Void

  /// A stream whose source keeps the contract by itself: it asks the observer's lifetime before each call, never calls
  /// twice at once, and registers its teardown there.
  @inlinable
  package init(attach: @escaping @Sendable (Observer<Element, Failure>) -> Void) {
    self.attach = attach
  }

  /// Subscribes an observer, unless its subscription has ended meanwhile.
  @inlinable
  func attachIfActive(_ observer: Observer<Element, Failure>) {
    if observer.lifetime.isActive { attach(observer) }
  }

  /// A hand-made stream: `start` runs for each subscription and sends through the ``Producer`` it is given.
  ///
  ///     let shakes = Observable<Shake, Never> { producer in
  ///       let handler = motion.addHandler { producer.send($0) }
  ///       producer.onTermination { motion.remove(handler) }
  ///     }
  ///
  /// Observers see a well-formed stream, whatever the owner of the producer does and however many threads send: sends
  /// are serialised, and nothing passes after the end or after cancellation. When the last reference to the producer
  /// goes away, the stream finishes.
  ///
  /// - Complexity: subscribing is O(1), beside the cost of `start`.
  @inlinable
  public init(_ start: @escaping @Sendable (Producer<Element, Failure>) -> Void) {
    self.init(attach: { observer in
      let hub = Hub<Element, Failure>()
      hub.attach(observer)
      start(Producer(hub: hub, lifetime: observer.lifetime))
    })
  }
}

/// A source of a stream: an ``Observable`` itself, or something that has one, like a ``Subject``.
///
/// All operators belong to this protocol, so they can be called on whatever conforms to it.
///
///     let keys = Subject<Character, Never>()
///     let words = keys.debounce(for: .milliseconds(300)).map { … }
///
/// A type of your own that is a stream conforms by giving it as ``observable``, and gets all operators as members. A
/// type that only has a stream offers it as a property instead, and does not conform.
public protocol ObservableConvertible<Element, Failure>: Sendable {
  /// The type of the values.
  associatedtype Element: Sendable

  /// The type of the failure; `Never` for a stream that cannot fail.
  associatedtype Failure: Error

  /// The stream.
  ///
  /// - Complexity: O(1).
  var observable: Observable<Element, Failure> { get }
}

extension Observable: ObservableConvertible {
  /// The stream itself.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var observable: Observable { self }
}

extension ObservableConvertible {
  /// Subscribes: `onValue` is called for each value, then `onEnd` at most once.
  ///
  /// - Returns: the token. Releasing it cancels, so keep it; see ``Subscription``.
  /// - Ordering: values in the stream's order, one at a time. A source that can send at once (a sequence, a subject
  ///   that replays) calls `onValue` before this returns.
  /// - Concurrency: callbacks run on the thread that delivers, never two at once, with no internal lock held. They may
  ///   send, subscribe and cancel.
  /// - Errors: a failure of the stream is given to `onEnd`, after the last value.
  /// - Complexity: O(operators) for the chain of operators, and O(1) amortised at a source with many observers.
  @inlinable
  public func subscribe(
    _ onValue: @escaping @Sendable (Element) -> Void,
    onEnd: @escaping @Sendable (StreamEnd<Failure>) -> Void = { _ in }
  ) -> Subscription {
    let lifetime = Lifetime()
    // The token exists before the first callback and is released by the caller, never by an early end.
    let subscription = Subscription(lifetime)
    observable.attach(Observer(lifetime: lifetime, isLast: true, onValue: onValue, onEnd: onEnd))
    return subscription
  }
}
