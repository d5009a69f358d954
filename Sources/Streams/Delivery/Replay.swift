/// The newest values of a ``Hub``, for each newcomer and for any thread.
///
/// It brings the code along that keeps and copies values. The code is made where the replay is made, which is where the
/// type of the values is known. A hub that keeps nothing needs none of it.
///
/// Safe to share: the values are behind the lock.
@usableFromInline
final class Replay<Element: Sendable>: Sendable {
  /// A ring: once there are as many values as are kept, the newest takes the place of the oldest.
  @usableFromInline
  struct Values: Sendable {
    @usableFromInline var ring: ContiguousArray<Kept<Element>> = []
    @usableFromInline var oldest = 0

    @inlinable
    init() {}
  }

  @usableFromInline let limit: Int
  @usableFromInline let values = Lock(Values())
  @usableFromInline let keeping: @Sendable (Replay, Element) -> Void
  @usableFromInline let copying: @Sendable (Replay, (Element) -> Void) -> Void

  /// - Parameters:
  ///   - limit: the number of values to keep, greater than zero.
  ///   - initial: the first value.
  @inlinable
  init(_ limit: Int, initial: Element?) {
    self.limit = limit
    keeping = { replay, value in
      // The value that is dropped is released after unlocking.
      var kept = Kept(value)
      replay.values.withLock { values in
        if values.ring.count < replay.limit { return values.ring.append(kept) }
        swap(&values.ring[values.oldest], &kept)
        values.oldest += 1
        if values.oldest == replay.limit { values.oldest = 0 }
      }
    }
    copying = { replay, body in
      let values = replay.values.withLock { $0 }
      for offset in values.ring.indices {
        let kept = values.ring[(values.oldest + offset) % values.ring.count]
        kept.cause.deliver { body(kept.value) }
      }
    }
    if let initial { values.withLock { $0.ring.append(Kept(initial, by: .unknown)) } }
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
  var latest: Element? {
    values.withLock { values in (values.oldest == 0 ? values.ring.last : values.ring[values.oldest - 1])?.value }
  }
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
