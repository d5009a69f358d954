import Streams
import Synchronization

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
  @discardableResult
  package func take() -> Value? {
    content.exchange(with: nil)
  }
}

/// A list of what happened, in order. Any thread may write to it.
package final class Log<Entry: Sendable>: Sendable {
  private let list = Lock<[Entry]>([])

  package init() {}

  package var entries: [Entry] { list.withLock { $0 } }
  package var count: Int { list.withLock(\.count) }
  package var last: Entry? { list.withLock(\.last) }

  package func note(_ entry: Entry) {
    list.withLock { $0.append(entry) }
  }
}

/// A number that any thread may add to.
package final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  package init() {}

  package var value: Int { number.load(ordering: .acquiring) }

  @discardableResult
  package func increment(by step: Int = 1) -> Int {
    number.wrappingAdd(step, ordering: .acquiringAndReleasing).newValue
  }

  @discardableResult
  package func decrement() -> Int {
    number.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
  }
}

/// The error that tests fail with where any error will do.
package struct TestError: Error, Hashable {
  package var code: Int

  package init(code: Int = 0) {
    self.code = code
  }
}
