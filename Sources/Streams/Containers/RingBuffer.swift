/// A first-in, first-out buffer whose storage is reused: values that wait for a reader, values that are delayed.
///
/// ```
///   slots   [ – – a b c d – – ]       `head` is the slot of a
/// ```
///
/// The ring doubles when it is full. A large one is given back when it is empty.
@usableFromInline
package struct RingBuffer<Element: Sendable>: Sendable {
  /// Their number is zero or a power of two, so that a slot is found by masking.
  @usableFromInline var slots: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline package private(set) var count = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { count == 0 }

  /// The element appended before all others.
  @inlinable
  package var first: Element? {
    isEmpty ? nil : slots[head]
  }

  /// The element at an index; that of the first one is 0.
  package subscript(index: Int) -> Element {
    get { slots[place(of: index)].unsafelyUnwrapped }
    set { slots[place(of: index)] = newValue }
  }

  private func place(of index: Int) -> Int {
    assert(index >= 0 && index < count, "A ring buffer has no element at this index.")
    return (head + index) & (slots.count - 1)
  }

  /// The elements, oldest first.
  @inlinable
  package var elements: [Element] {
    (0..<count).compactMap { slots[(head + $0) & (slots.count - 1)] }
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    let index = (head + count) & (slots.count - 1)
    assert(slots[index] == nil, "A ring buffer overwrites an element.")
    slots[index] = element
    count += 1
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = slots[head].take()
    assert(first != nil, "A ring buffer has lost an element.")
    head = (head + 1) & (slots.count - 1)
    count -= 1
    if count == 0, slots.count > 1_024 { self = RingBuffer() }
    return first
  }

  /// Appends an element, and removes the first one. The buffer is not empty.
  @inlinable
  @inline(__always)
  package mutating func cycle(_ element: Element) -> Element? {
    assert(count > 0, "There is no first element.")
    let last = (head + count) & (slots.count - 1)
    var first: Element? = element
    swap(&first, &slots[last])
    if last != head { first = slots[head].take() }
    head = (head + 1) & (slots.count - 1)
    return first
  }

  /// Doubles the ring, which is full.
  @inlinable
  @inline(never)
  mutating func grow() {
    let former = slots.count
    slots.append(contentsOf: repeatElement(nil, count: max(8, former)))
    // What was wrapped around goes behind the rest.
    for index in 0..<head { slots.swapAt(index, former + index) }
    assert(slots.count.nonzeroBitCount == 1, "The capacity of a ring buffer is not a power of two.")
  }
}
