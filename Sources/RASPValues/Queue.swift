/// What leaves at the front, and at the back.
///
/// ```
///   slots   [ –  –  3  4  5 ]       what has left in front goes when it is half of all
///                   ▲ head
/// ```
@usableFromInline
struct Queue<Element> {
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable
  var count: Int { slots.count - head }

  @inlinable
  var first: Element? { count > 0 ? slots[head] : nil }

  @inlinable
  var last: Element? { slots.last ?? nil }

  /// - Complexity: O(elements).
  @inlinable
  var elements: [Element] { slots[head...].compactMap { $0 } }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func append(_ element: Element) { slots.append(element) }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func removeFirst() {
    slots[head] = nil
    head += 1
    guard head > slots.count / 2 else { return }
    slots.removeSubrange(..<head)
    head = 0
  }

  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  mutating func popLast() -> Element? { count > 0 ? slots.removeLast() : nil }
}

extension Queue {
  mutating func modifyEach(_ body: (inout Element) -> Void) {
    for index in slots.indices.dropFirst(head) {
      guard var element = slots[index].take() else { continue }
      body(&element)
      slots[index] = element
    }
  }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue: Equatable where Element: Equatable {
  @usableFromInline
  static func == (left: Queue, right: Queue) -> Bool { left.slots[left.head...] == right.slots[right.head...] }
}

extension Queue: Encodable where Element: Encodable {
  @usableFromInline
  func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension Queue: Decodable where Element: Decodable {
  @usableFromInline
  init(from decoder: any Decoder) throws { slots = try [Element](from: decoder) }
}
