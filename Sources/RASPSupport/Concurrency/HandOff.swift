import RASPPrimitives
import Streams

/// A value that one side puts down and the other side takes away, each once: the first side gives it up, the second
/// owns it.
///
/// The two sides agree on the order by other means, such as a ``Latch`` that says that the value is there.
///
/// Safe to share: the value is behind a lock. The lock also makes sure that the value has one owner, whatever the
/// callers do: it is moved in and moved out. Putting down a second value, and taking one that is not there, are
/// mistakes of this package.
@usableFromInline
package struct HandOff<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  enum State: Sendable {
    case empty
    case holding(Value)
    case taken
  }

  @usableFromInline let state = Lock(State.empty)

  package init() {}

  /// Puts the value down for the other side. A second value is a mistake: it traps in a debug build and is dropped in
  /// any other.
  package func put(_ value: Value) {
    let wasEmpty = state.withLock { state in
      guard case .empty = state else { return false }
      state = .holding(value)
      return true
    }
    assert(wasEmpty, "A value was handed off twice")
  }

  /// Takes the value away. Taking what is not there is a mistake: it traps in a debug build and gives `nil` in any
  /// other.
  package func take() -> Value? {
    let value: Value? = state.withLock { state in
      guard case .holding(let value) = state else { return nil }
      state = .taken
      return value
    }
    assert(value != nil, "A value was taken that had not been handed off, or had been taken before")
    return value
  }
}
