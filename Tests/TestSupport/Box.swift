import Streams

/// A place that any thread may put something into and take it out of. What was there is released with no lock held.
package final class Box<Value: Sendable>: Sendable {
  private let content: Lock<Value?>

  package init(_ value: Value? = nil) {
    content = Lock(value)
  }

  package var value: Value? {
    get { content.withLock { $0 } }
    set { content.exchange(with: newValue) }
  }

  /// Takes the value out, for the caller to release.
  package func take() -> Value? {
    content.exchange(with: nil)
  }
}
