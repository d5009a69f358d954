/// A list of observers in the order in which they came. Each is found again by a token, and a walk goes through them in
/// place.
///
/// ```
/// tokens    2     5     6     9          rising, so an observer is found by binary search
/// objects   ●     –     ●     ●          each is retained once by the list; – has left
/// ```
///
/// An observer that leaves makes a gap. When there are more gaps than observers, the others close up. So leaving costs
/// the same in any order, and the observers are always called in the order in which they came.
///
/// A walk retains nothing, so an observer must not be taken out during a walk. This cannot happen: the list is part of
/// what a `DeliveryQueue` protects, and observers come and leave between two deliveries.
@usableFromInline
package struct ObserverList<Object: AnyObject>: ~Copyable {
  @usableFromInline package var slots = ObserverSlots()

  @inlinable
  package init() {}

  @inlinable
  package var count: Int { slots.count }

  @inlinable
  package var isEmpty: Bool { slots.count == 0 }

  /// Calls `body` for each observer, in the order of their tokens.
  ///
  /// - Complexity: O(`count`).
  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    slots.forEach { body(unsafeDowncast($0, to: Object.self)) }
  }

  /// Calls `body` for each observer from a position on whose token is below a limit.
  ///
  /// - Parameter position: where to begin; moved to the first slot that was not reached.
  /// - Returns: the token there, or `Int.max` at the end of the list.
  @inlinable
  @inline(__always)
  package func forEach(from position: inout Int, below limit: Int, _ body: (Object) -> Void) -> Int {
    guard let memory = slots.slots else { return .max }
    assert(position >= 0 && position <= slots.end, "A walk has left its observer list.")
    while position < slots.end {
      if let object = memory[position].object {
        if memory[position].token >= limit { return memory[position].token }
        object._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Object.self)) }
      }
      position += 1
    }
    return .max
  }

  /// Adds an observer behind all others.
  ///
  /// - Parameter token: is greater than those of all others.
  /// - Complexity: O(1) amortised.
  @inlinable
  @inline(__always)
  package mutating func append(_ object: Object, token: Int) {
    slots.append(object, token: token)
  }

  /// Takes an observer out.
  ///
  /// - Returns: the observer, to be released where that does no harm; `nil` if it is not in the list.
  /// - Complexity: O(log n) amortised.
  @inlinable
  @inline(__always)
  package mutating func remove(_ object: Object, token: Int) -> Object? {
    // Not by `map`: where this is not specialised, that looks types up.
    guard let removed = slots.remove(object, token: token) else { return nil }
    return unsafeDowncast(removed, to: Object.self)
  }

  /// Takes all observers out, in their order.
  package mutating func removeAll() -> [Object] {
    var removed: [Object] = []
    removed.reserveCapacity(count)
    slots.takeAll { _ in
    } then: {
      removed.append(unsafeDowncast($0, to: Object.self))
    }
    return removed
  }
}
