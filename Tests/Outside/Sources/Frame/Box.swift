import Synchronization

/// A value that callbacks change.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) { content = Mutex(value) }

  var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  @discardableResult
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { content.withLock { body(&$0) } }
}

extension Box where Value == Int {
  /// Counts: the number before.
  func next(by step: Int = 1) -> Int {
    change { number in
      defer { number += step }
      return number
    }
  }
}
