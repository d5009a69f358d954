import Streams

/// A list that any thread may append to.
final class Log<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }
  var count: Int { elements.withLock(\.count) }
  var last: Element? { elements.withLock(\.last) }

  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }
}

/// A place that any thread may put something into and take it out of.
final class Box<Value: Sendable>: Sendable {
  private let content: Lock<Value?>

  init(_ value: Value? = nil) {
    content = Lock(value)
  }

  var value: Value? {
    get { content.withLock { $0 } }
    set { _ = content.withLock { [newValue] content in swapped(&content, newValue) } }
  }

  /// Takes the value out, for the caller to release where no lock is held.
  func take() -> Value? {
    content.withLock { $0.take() }
  }
}

private func swapped<Value>(_ slot: inout Value, _ value: Value) -> Value {
  defer { slot = value }
  return slot
}
