/// A first-in, first-out buffer whose storage is reused: values that wait for a reader, values that are replayed.
@usableFromInline
package struct RingBuffer<Element: Sendable>: Sendable {
  private var storage: ContiguousArray<Element?> = []
  private var head = 0
  @usableFromInline package private(set) var count = 0

  @usableFromInline
  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The element appended before all others.
  package var first: Element? {
    count == 0 ? nil : storage[head]
  }

  /// The element appended last.
  package var last: Element? {
    count == 0 ? nil : storage[(head + count - 1) % storage.count]
  }

  /// The elements, oldest first.
  package var elements: [Element] {
    (0..<count).compactMap { storage[(head + $0) % storage.count] }
  }

  /// - Complexity: O(1) amortised.
  package mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[(head + count) % storage.count] = element
    count += 1
  }

  /// - Complexity: O(1).
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      head = (head + 1) % storage.count
      count -= 1
    }
    return storage[head].take()
  }

  private mutating func grow() {
    var grown = ContiguousArray<Element?>()
    grown.reserveCapacity(max(8, storage.count * 2))
    for offset in 0..<count { grown.append(storage[(head + offset) % storage.count].take()) }
    while grown.count < grown.capacity { grown.append(nil) }
    storage = grown
    head = 0
  }
}
