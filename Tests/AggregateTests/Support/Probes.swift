import Streams
import Synchronization

/// A number that any thread may raise.
final class Count: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  @discardableResult
  func increment() -> Int {
    number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }
}

/// Something that becomes true once.
final class Flag: Sendable {
  private let storage = Atomic<Bool>(false)

  var isSet: Bool { storage.load(ordering: .acquiring) }

  func set() {
    storage.store(true, ordering: .releasing)
  }
}

/// Room for one thing that a callback needs and that is made later, or that a callback lets go of.
final class Holder<Value: Sendable>: Sendable {
  private let storage: Lock<Value?>

  init(_ value: Value? = nil) {
    storage = Lock(value)
  }

  var value: Value? { storage.withLock { $0 } }

  func put(_ value: Value) {
    storage.exchange(with: value)
  }

  /// Lets go of what is held, outside the lock.
  func release() {
    storage.exchange(with: nil)
  }
}

/// Sees numbers that may only grow: the last one, and whether one ever was a step back.
final class Watch: Sendable {
  private let newest = Atomic<Int>(.min)
  private let back = Flag()
  let calls = Count()

  var last: Int { newest.load(ordering: .acquiring) }
  var steppedBack: Bool { back.isSet }

  func see(_ value: Int) {
    calls.increment()
    if value < newest.exchange(value, ordering: .acquiringAndReleasing) { back.set() }
  }
}
