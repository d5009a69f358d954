/// The memory of an ``ObserverList``: objects of any class, each with a token. It does not depend on the class, so it
/// is compiled once, and code that adds and removes has no type to look up.
///
/// Invariants: tokens rise along the list; `count` is the number of objects; no more than half of the slots are gaps,
/// but for a few; there is no memory before the first object comes.
@usableFromInline
package struct ObserverSlots: ~Copyable {
  @usableFromInline
  struct Slot {
    @usableFromInline var token: Int
    @usableFromInline var object: Unmanaged<AnyObject>?
  }

  @usableFromInline var slots: UnsafeMutablePointer<Slot>?
  @usableFromInline var capacity = 0
  /// The slots in use, gaps included.
  @usableFromInline var end = 0
  /// The objects in the list.
  @usableFromInline package var count = 0

  @inlinable
  package init() {}

  @inlinable
  init(takenFrom other: inout ObserverSlots) {
    swap(&self, &other)
  }

  @usableFromInline
  deinit {
    guard let slots else { return }
    for index in 0..<end { slots[index].object?.release() }
    slots.deallocate()
  }

  /// Calls `body` for each object, in the order of their tokens.
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

  /// Takes all objects out, and calls two functions for them in their order: one for all, then the other one for all.
  /// The list is empty when the second one is called, and each object is released after its call.
  @inlinable
  package mutating func takeAll(first: (AnyObject) -> Void, then: (AnyObject) -> Void) {
    forEach(first)
    let taken = ObserverSlots(takenFrom: &self)
    guard let slots = taken.slots else { return }
    for index in 0..<taken.end {
      guard let object = slots[index].object else { continue }
      slots[index].object = nil
      then(object.takeRetainedValue())
    }
  }

  /// Adds an observer behind all others.
  ///
  /// - Parameter token: is greater than those of all others.
  /// - Complexity: O(1) amortised.
  @usableFromInline
  package mutating func append(_ object: AnyObject, token: Int) {
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
  @usableFromInline
  package mutating func remove(_ object: AnyObject, token: Int) -> AnyObject? {
    guard let slots, let index = index(of: token), let removed = slots[index].object,
      removed.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    else { return nil }
    slots[index].object = nil
    count -= 1
    assert(count >= 0, "An observer list has lost count of its observers.")
    while end > 0, slots[end - 1].object == nil { end -= 1 }
    if end > 8, end > 2 * count { closeUp() }
    if capacity > 32, capacity > 4 * end { move(to: 2 * end) }
    return removed.takeRetainedValue()
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

  /// Moves to other memory, which is larger, or smaller because most have left.
  private mutating func move(to newCapacity: Int) {
    assert(newCapacity >= end, "An observer list is moved to memory that is too small.")
    let newCapacity = max(1, newCapacity)
    let memory = UnsafeMutablePointer<Slot>.allocate(capacity: newCapacity)
    if let slots {
      memory.moveInitialize(from: slots, count: end)
      slots.deallocate()
    }
    slots = memory
    capacity = newCapacity
  }
}
