/// The observers of one producer, in the order in which they subscribed.
///
/// A delivery queue owns the list: subscriptions and removals wait until a round is over, so a round walks it in place
/// and nothing is copied.
@usableFromInline
package struct ObserverList<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline var observers: ContiguousArray<Observer<Element, Failure>> = []

  @inlinable
  package init() {}

  package var count: Int { observers.count }

  @inlinable
  package mutating func append(_ observer: Observer<Element, Failure>) {
    observers.append(observer)
  }

  /// Takes out the observer of `lifetime`, for the caller to release where no lock is held.
  @inlinable
  package mutating func remove(_ lifetime: Lifetime) -> Observer<Element, Failure>? {
    guard let index = observers.firstIndex(where: { $0.lifetime === lifetime }) else { return nil }
    return observers.remove(at: index)
  }

  /// Takes out all observers.
  @inlinable
  package mutating func removeAll() -> ContiguousArray<Observer<Element, Failure>> {
    let removed = observers
    observers = []
    return removed
  }

  @inlinable
  @inline(__always)
  package func send(_ value: Element) {
    observers.withUnsafeBufferPointer { observers in
      for index in observers.indices { observers[index].send(value) }
    }
  }
}
