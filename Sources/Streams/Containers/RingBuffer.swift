/// A first-in, first-out buffer whose storage is reused: values that wait for a reader, values that are replayed.
@usableFromInline
struct RingBuffer<Element: Sendable>: Sendable {
  /// The slots. Their number is zero or a power of two, so that a slot is found by masking.
  @usableFromInline var storage: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  /// The element appended before all others.
  @inlinable
  var first: Element? {
    count == 0 ? nil : storage[head]
  }

  /// The element appended last.
  var last: Element? {
    count == 0 ? nil : storage[(head + count - 1) & (storage.count - 1)]
  }

  /// The elements, oldest first.
  var elements: [Element] {
    (0..<count).compactMap { storage[(head + $0) & (storage.count - 1)] }
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    assert(storage[(head + count) & (storage.count - 1)] == nil, "A ring buffer overwrites an element.")
    storage[(head + count) & (storage.count - 1)] = element
    count += 1
  }

  /// - Complexity: O(1).
  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = storage[head].take()
    assert(first != nil, "A ring buffer has lost an element.")
    head = (head + 1) & (storage.count - 1)
    count -= 1
    return first
  }

  @inlinable
  mutating func grow() {
    let capacity = max(8, storage.count * 2)
    var grown = ContiguousArray<Element?>()
    grown.reserveCapacity(capacity)
    for offset in 0..<count { grown.append(storage[(head + offset) & (storage.count - 1)].take()) }
    while grown.count < capacity { grown.append(nil) }
    assert(grown.count.nonzeroBitCount == 1, "The capacity of a ring buffer is not a power of two.")
    storage = grown
    head = 0
  }
}
