/// A list whose elements are found again by rising numbers.
///
/// An element that is taken out makes a gap. When there are more gaps than elements, the others close up. So taking out
/// costs the same in any order, and a walk meets the elements in the order in which they came.
///
/// Invariants: the numbers rise along the list; `count` is the number of elements; no more than half of the slots are
/// gaps, but for a few, and the last slot is none.
@usableFromInline
package struct NumberedList<Element: Sendable>: Sendable {
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let number: Int
    @usableFromInline var element: Element?

    @inlinable
    init(number: Int, element: Element) {
      self.number = number
      self.element = element
    }
  }

  @usableFromInline var slots: ContiguousArray<Slot> = []
  @usableFromInline package internal(set) var count = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// The elements, in the order in which they came.
  ///
  /// - Complexity: O(`count`).
  @inlinable
  package var values: [Element] {
    var values: [Element] = []
    values.reserveCapacity(count)
    for slot in slots {
      if let element = slot.element { values.append(element) }
    }
    return values
  }

  /// Adds an element behind all others.
  ///
  /// - Parameter number: is greater than those of all others.
  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func append(_ element: Element, number: Int) {
    assert(slots.last.map { $0.number < number } ?? true, "The numbers of a list do not rise.")
    slots.append(Slot(number: number, element: element))
    count += 1
  }

  /// Takes an element out.
  ///
  /// - Returns: the element; `nil` if it is not in the list.
  /// - Complexity: O(log n) amortised.
  @inlinable
  package mutating func remove(_ number: Int) -> Element? {
    guard let index = index(of: number), let element = slots[index].element.take() else { return nil }
    count -= 1
    while let last = slots.last, last.element == nil { slots.removeLast() }
    if slots.count > 8, slots.count > 2 * count { slots.removeAll { $0.element == nil } }
    assert(count <= slots.count, "A list has lost count of its elements.")
    return element
  }

  @inlinable
  func index(of number: Int) -> Int? {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      let found = slots[middle].number
      if found == number { return middle }
      if found < number { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
