import RASPPrimitives

/// The newest values of a ``Hub``, for each newcomer and for any thread.
///
/// It brings the code along that keeps and copies values. The code is made where the replay is made, which is where the
/// type of the values is known. A hub that keeps nothing needs none of it.
///
/// Safe to share: the values are behind the lock.
@usableFromInline
final class Replay<Element: Sendable>: Sendable {
  @usableFromInline let limit: Int
  @usableFromInline let values = Lock(RingBuffer<Kept<Element>>())
  @usableFromInline let keeping: @Sendable (Replay, Element) -> Void
  @usableFromInline let copying: @Sendable (Replay, (Element) -> Void) -> Void

  /// - Parameter limit: the number of values to keep, greater than zero.
  @inlinable
  init(_ limit: Int) {
    self.limit = limit
    keeping = { replay, value in
      let kept = Kept(value)
      let dropped = replay.values.withLock { values in
        values.append(kept)
        return values.count > replay.limit ? values.popFirst() : nil
      }
      // Released after unlocking.
      _ = consume dropped
    }
    copying = { replay, body in
      for kept in replay.values.withLock({ $0.elements }) { kept.cause.deliver { body(kept.value) } }
    }
  }

  /// - Parameter initial: the first value.
  @inlinable
  convenience init(_ limit: Int, initial: Element) {
    self.init(limit)
    values.withLock { $0.append(Kept(initial, by: .unknown)) }
  }

  /// Keeps a value, which is being delivered.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  @inline(__always)
  func keep(_ value: Element) { keeping(self, value) }

  /// Calls `body` for each value, the oldest first, with its cause.
  ///
  /// - Complexity: O(values), which are copied first.
  @inline(__always)
  func forEach(_ body: (Element) -> Void) { copying(self, body) }

  /// - Complexity: O(1).
  @inlinable
  var latest: Element? { values.withLock { $0.last?.value } }
}

/// Something that is kept for later, with what brought it about.
@usableFromInline
struct Kept<Value: Sendable>: Sendable {
  @usableFromInline let value: Value
  @usableFromInline let cause: CarriedCause

  @inlinable
  init(_ value: Value, by cause: CarriedCause = .current) {
    self.value = value
    self.cause = cause
  }
}
