/// A first-in, first-out buffer whose storage is reused: values that wait for a reader, values that are delayed.
///
/// ```
///   ring    [ – – a b c d – – ]            grows to `limit` slots
///   full    [ e f g … ] [ k l m … ]        what came while the ring was full
///   newest  [ q r ]
/// ```
///
/// Most buffers are a ring for all their life. What does not fit into the largest ring stands in pieces behind it, and
/// a piece becomes the ring when its turn comes. So an append copies at most `limit` elements, however many there are:
/// some buffers are behind a lock that senders take.
///
/// Invariants: `filled` is the number of elements in the ring, and `behind` of those in the pieces; there is nothing in
/// the pieces if the ring is empty.
@usableFromInline
package struct RingBuffer<Element: Sendable>: Sendable {
  @usableFromInline typealias Piece = ContiguousArray<Element?>

  /// The slots of the ring. Their number is zero or a power of two, so that a slot is found by masking.
  @usableFromInline var ring: Piece = []
  @usableFromInline var head = 0
  @usableFromInline var filled = 0
  @usableFromInline var behind = 0
  /// The pieces behind the ring that are full, from `firstFull` on.
  @usableFromInline var full: ContiguousArray<Piece> = []
  @usableFromInline var firstFull = 0
  /// The piece behind them.
  @usableFromInline var newest: Piece = []

  /// The number of slots of the largest ring, and of a piece.
  @inlinable
  static var limit: Int { 1_024 }

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { filled == 0 }

  @inlinable
  package var count: Int { filled + behind }

  /// The element appended before all others.
  @inlinable
  package var first: Element? {
    filled == 0 ? nil : ring[head]
  }

  /// The element appended last.
  @inlinable
  package var last: Element? {
    if behind > 0 { return (newest.last ?? full.last?.last) ?? nil }
    return filled == 0 ? nil : ring[(head + filled - 1) & (ring.count - 1)]
  }

  /// The elements, oldest first.
  @inlinable
  package var elements: [Element] {
    let inRing = (0..<filled).compactMap { ring[(head + $0) & (ring.count - 1)] }
    return behind == 0 ? inRing : inRing + (full[firstFull...].joined() + newest).compactMap { $0 }
  }

  /// - Complexity: O(1) amortised, and never more than O(`limit`) by a copy of elements.
  @inlinable
  package mutating func append(_ element: Element) {
    guard behind == 0, filled < ring.count || grow() else { return appendBehind(element) }
    assert(ring[(head + filled) & (ring.count - 1)] == nil, "A ring buffer overwrites an element.")
    ring[(head + filled) & (ring.count - 1)] = element
    filled += 1
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard filled > 0 else { return nil }
    let first = ring[head].take()
    assert(first != nil, "A ring buffer has lost an element.")
    head = (head + 1) & (ring.count - 1)
    filled -= 1
    if filled == 0, behind > 0 { takePiece() }
    return first
  }

  /// Doubles the ring, which is full.
  ///
  /// - Returns: `false` if it has the largest size.
  @inlinable
  mutating func grow() -> Bool {
    if ring.count == Self.limit { return false }
    let capacity = max(8, ring.count * 2)
    var grown = Piece()
    grown.reserveCapacity(capacity)
    for offset in 0..<filled { grown.append(ring[(head + offset) & (ring.count - 1)].take()) }
    while grown.count < capacity { grown.append(nil) }
    assert(grown.count.nonzeroBitCount == 1, "The capacity of a ring buffer is not a power of two.")
    ring = grown
    head = 0
    return true
  }

  @inlinable
  @inline(never)
  mutating func appendBehind(_ element: Element) {
    if newest.count == Self.limit {
      full.append(newest)
      newest = []
    }
    if newest.isEmpty { newest.reserveCapacity(Self.limit) }
    newest.append(element)
    behind += 1
  }

  /// Makes the oldest piece the ring, which is empty.
  @inlinable
  @inline(never)
  mutating func takePiece() {
    ring = []
    head = 0
    if firstFull < full.count {
      swap(&ring, &full[firstFull])
      firstFull += 1
      if 2 * firstFull >= full.count {
        full.removeFirst(firstFull)
        firstFull = 0
      }
    } else {
      swap(&ring, &newest)
    }
    filled = ring.count
    behind -= filled
    assert(filled > 0 && behind >= 0, "A ring buffer has lost count of its elements.")
    while ring.count < Self.limit { ring.append(nil) }
  }
}
