/// A list of observers in the order in which they came. Each is found again by a token, and a walk goes through them in
/// place.
///
/// ```
/// tokens    2     5     6     9          rising, so an observer is found by binary search
/// objects   ●     –     ●     ●          each is retained once by the list; – has left
/// ```
///
/// An observer that leaves makes a gap. When there are more gaps than observers, the others close up. So leaving costs
/// the same in any order, and the observers are always called in the order in which they came. Memory is given back
/// when all have left, and not before: an allocator that is asked for memory looks through what was freed, which are
/// the observers that have left.
///
/// A walk retains nothing, so an observer must not be taken out during a walk. This cannot happen: the list is part of
/// what a `DeliveryQueue` protects, and observers come and leave between two deliveries.
///
/// The list does not depend on the class of the observers, so it is compiled once, and code that adds and removes has
/// no type to look up.
///
/// Invariants: tokens rise along the list; `count` is the number of observers; no more than half of the slots are gaps,
/// and the last slot is none; there is no memory before the first observer comes.
@usableFromInline
package struct ObserverList: ~Copyable {
  @usableFromInline
  struct Slot {
    @usableFromInline let token: Int
    @usableFromInline var object: Unmanaged<AnyObject>?
  }

  @usableFromInline var slots: UnsafeMutablePointer<Slot>?
  private(set) var capacity = 0
  /// The slots in use, gaps included.
  @usableFromInline var end = 0
  /// The observers in the list.
  @usableFromInline package private(set) var count = 0

  package init() {}

  deinit {
    guard let slots else { return }
    for index in 0..<end { slots[index].object?.release() }
    slots.deallocate()
  }

  /// Calls `body` for each observer, in the order of their tokens.
  ///
  /// - Complexity: O(`count`).
  @inlinable
  @inline(__always)
  package func forEach(_ body: (AnyObject) -> Void) {
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
  package func forEach(from position: inout Int, below limit: Int, _ body: (AnyObject) -> Void) -> Int {
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
  package mutating func append(_ object: AnyObject, token: Int) {
    assert(end == 0 || slots?[end - 1].token ?? token < token, "The tokens of an observer list do not rise.")
    if end == capacity { grow() }
    (slots.unsafelyUnwrapped + end).initialize(to: Slot(token: token, object: .passRetained(object)))
    end += 1
    count += 1
  }

  /// Takes an observer out.
  ///
  /// - Returns: the observer, to be released where that does no harm; `nil` if it is not in the list.
  /// - Complexity: O(log n) amortised.
  package mutating func remove(_ object: AnyObject, token: Int) -> AnyObject? {
    guard let slots else { return nil }
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].token < token { low = middle + 1 } else { high = middle }
    }
    guard low < end, let removed = slots[low].object, removed.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    else { return nil }
    slots[low].object = nil
    count -= 1
    while end > 0, slots[end - 1].object == nil { end -= 1 }
    if end > 2 * count { closeUp() }
    // A few slots are kept for those that come.
    if end == 0, capacity > 32 { self = ObserverList() }
    return removed.takeRetainedValue()
  }

  /// Takes all observers out.
  ///
  /// - Returns: a list of them.
  package mutating func removeAll() -> ObserverList {
    let removed = consume self
    self = ObserverList()
    return removed
  }

  /// Closes the gaps.
  private mutating func closeUp() {
    guard let slots else { return }
    var filled = 0
    for index in 0..<end where slots[index].object != nil {
      slots[filled] = slots[index]
      filled += 1
    }
    end = filled
    assert(end == count, "An observer list has lost count of its observers.")
  }

  /// Moves to memory that is twice as large.
  @inline(never)
  private mutating func grow() {
    capacity = max(1, 2 * capacity)
    let memory = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    if let slots {
      memory.moveInitialize(from: slots, count: end)
      slots.deallocate()
    }
    slots = memory
  }
}
