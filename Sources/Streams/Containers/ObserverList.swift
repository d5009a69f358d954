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
/// Invariants: tokens rise along the list; `count` is the number of objects; no more than half of the slots are gaps,
/// but for a few; there is no memory before the first observer comes.
///
/// A walk retains nothing, so an observer must not be taken out during a walk. This cannot happen: the list is part of
/// what a ``DeliveryQueue`` protects, and observers come and leave between two deliveries.
@usableFromInline
package struct ObserverList<Object: AnyObject>: ~Copyable {
  @usableFromInline
  struct Slot {
    @usableFromInline var token: Int
    @usableFromInline var object: Unmanaged<Object>?
  }

  @usableFromInline var slots: UnsafeMutablePointer<Slot>?
  @usableFromInline var capacity = 0
  /// The slots in use, gaps included.
  @usableFromInline var end = 0
  /// The observers in the list.
  @usableFromInline package private(set) var count = 0

  @inlinable
  package init() {}

  deinit {
    guard let slots else { return }
    for index in 0..<end { slots[index].object?.release() }
    slots.deallocate()
  }

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// Calls `body` for each observer, in the order of their tokens.
  ///
  /// - Complexity: O(`count`).
  @inlinable
  @inline(__always)
  package func forEach(_ body: (Object) -> Void) {
    guard let slots else { return }
    var index = 0
    while index < end {
      slots[index].object?._withUnsafeGuaranteedRef { body($0) }
      index += 1
    }
  }

  /// Calls `body` for each observer from a position on whose token is below a limit.
  ///
  /// - Parameter position: where to begin; moved to the first slot that was not reached.
  /// - Returns: the token there, or `Int.max` at the end of the list.
  @inlinable
  @inline(__always)
  package func forEach(from position: inout Int, below limit: Int, _ body: (Object) -> Void) -> Int {
    guard let slots else { return .max }
    assert(position >= 0 && position <= end, "A walk has left its observer list.")
    while position < end {
      if let object = slots[position].object {
        if slots[position].token >= limit { return slots[position].token }
        object._withUnsafeGuaranteedRef { body($0) }
      }
      position += 1
    }
    return .max
  }

  /// Adds an observer behind all others.
  ///
  /// - Parameter token: is greater than those of all others.
  /// - Complexity: O(1) amortised.
  package mutating func append(_ object: Object, token: Int) {
    assert(end == 0 || slots?[end - 1].token ?? token < token, "The tokens of an observer list do not rise.")
    if end == capacity { move(to: max(1, capacity * 2)) }
    (slots.unsafelyUnwrapped + end).initialize(to: Slot(token: token, object: .passRetained(object)))
    end += 1
    count += 1
  }

  /// Takes an observer out.
  ///
  /// - Returns: the observer, to be released where that does no harm; `nil` if it is not in the list.
  /// - Complexity: O(log n) amortised.
  package mutating func remove(_ object: Object, token: Int) -> Object? {
    guard let slots, let index = index(of: token), let removed = slots[index].object,
      removed.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    else { return nil }
    slots[index].object = nil
    count -= 1
    assert(count >= 0, "An observer list has lost count of its observers.")
    while end > 0, slots[end - 1].object == nil { end -= 1 }
    if end > 8, end > 2 * count { closeUp() }
    return removed.takeRetainedValue()
  }

  /// Takes all observers out, in their order.
  package mutating func removeAll() -> [Object] {
    guard let slots else { return [] }
    var removed: [Object] = []
    removed.reserveCapacity(count)
    for index in 0..<end {
      if let object = slots[index].object { removed.append(object.takeRetainedValue()) }
    }
    end = 0
    count = 0
    return removed
  }

  /// The position of a token.
  ///
  /// Tokens rise evenly as a rule, so the position is guessed from the token, which touches little memory. After some
  /// guesses what is left is halved.
  private func index(of token: Int) -> Int? {
    guard let slots else { return nil }
    var (low, high) = (0, end)
    var guesses = 8
    while low < high {
      var middle = (low + high) / 2
      if guesses > 0, high - low > 2 {
        guesses -= 1
        let first = slots[low].token
        let last = slots[high - 1].token
        assert(first < last, "The tokens of an observer list do not rise.")
        guard first <= token, token <= last else { return nil }
        middle = low + Int(Double(token - first) / Double(last - first) * Double(high - 1 - low))
      }
      let found = slots[middle].token
      if found == token { return middle }
      if found < token { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Closes the gaps, and gives memory back that has become too large.
  private mutating func closeUp() {
    guard let slots else { return }
    var filled = 0
    for index in 0..<end where slots[index].object != nil {
      slots[filled] = slots[index]
      filled += 1
    }
    end = filled
    assert(end == count, "An observer list has lost count of its observers.")
    if capacity > 4 * end { move(to: 2 * end) }
  }

  private mutating func move(to newCapacity: Int) {
    assert(newCapacity >= end, "An observer list is moved to memory that is too small.")
    let memory = UnsafeMutablePointer<Slot>.allocate(capacity: newCapacity)
    if let slots {
      memory.moveInitialize(from: slots, count: end)
      slots.deallocate()
    }
    slots = memory
    capacity = newCapacity
  }
}
