import Streams

/// A source that breaks the grammar: it never releases an observer, and sends values and ends to all observers it ever
/// had, also after ends and cancellations.
///
/// Operators are tested with it: whatever it does, their observers must see a well-formed stream.
package final class HostileSource<Element: Sendable, Failure: Error>: ObservableConvertible, Sendable {
  private let observers = Lock<[Observer<Element, Failure>]>([])

  /// Makes a source without observers.
  package init() {}

  /// The stream of the values that it sends.
  package var observable: Observable<Element, Failure> {
    Observable(attach: { observer in self.observers.withLock { $0.append(observer) } })
  }

  /// Sends a value to all observers that ever subscribed, on the calling thread, without serialising anything.
  package func send(_ value: Element) {
    for observer in observers.withLock({ $0 }) { observer.send(value) }
  }

  /// Sends an end, again and again if called again and again.
  package func end(_ end: StreamEnd<Failure>) {
    for observer in observers.withLock({ $0 }) { observer.end(end) }
  }
}
