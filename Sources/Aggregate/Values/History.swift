/// What can be undone: a stack of which the oldest elements are forgotten.
///
/// ```
///   oldest  [ 2 1 ]     the first at the end       newer   [ 3 4 5 6 ] [ 7 8 ]
/// ```
@usableFromInline
struct History<Element> {
  /// The oldest elements, in the reverse order, so that the first one is taken out at the end.
  @usableFromInline var oldest: PiecedStack<Element>.Piece
  @usableFromInline var newer: PiecedStack<Element>

  @inlinable
  init() {
    oldest = []
    newer = PiecedStack()
  }

  @inlinable
  var count: Int { oldest.count + newer.count }

  @inlinable
  var isEmpty: Bool { oldest.isEmpty && newer.isEmpty }

  @inlinable
  var last: Element? { newer.last ?? oldest.first }

  /// The elements, the oldest first.
  ///
  /// - Complexity: O(elements).
  @inlinable
  var elements: [Element] { Array(oldest.reversed()) + newer.elements }

  /// Adds an element, and forgets the oldest one if there are more than the limit allows.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func append(_ element: Element, limit: Int) {
    newer.append(element)
    if count > limit { removeFirst() }
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func popLast() -> Element? {
    if newer.isEmpty { turnOver() }
    return newer.popLast()
  }

  /// - Complexity: O(elements).
  @inlinable
  mutating func removeAll() {
    if isEmpty { return }
    oldest.removeAll(keepingCapacity: true)
    newer.removeAll()
  }

  @inlinable
  @inline(never)
  mutating func removeFirst() {
    if oldest.isEmpty { newer.removeBottom(into: &oldest) }
    _ = oldest.popLast()
  }

  @inlinable
  @inline(never)
  mutating func turnOver() {
    while let element = oldest.popLast() { newer.append(element) }
  }
}

extension History: Sendable where Element: Sendable {}

extension History: Equatable where Element: Equatable {
  @inlinable
  static func == (left: History, right: History) -> Bool {
    left.count == right.count && left.elements == right.elements
  }
}

extension History: Encodable where Element: Encodable {
  /// Encodes the elements, the oldest first.
  @usableFromInline
  func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension History: Decodable where Element: Decodable {
  @usableFromInline
  init(from decoder: any Decoder) throws {
    self.init()
    for element in try [Element](from: decoder) { newer.append(element) }
  }
}
