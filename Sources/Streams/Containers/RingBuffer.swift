/// A first-in, first-out buffer whose storage is reused: values that wait for a reader, values that are delayed.
///
/// ```
///   ring    [ – – a b c d – – ]                    grows to `limit` slots
///   pieces  [ e f g … ] [ k l m … ] [ q r ]        what came while the ring was full
/// ```
///
/// Most buffers are a ring for all their life. What does not fit into the largest ring stands in pieces behind it, and
/// a piece becomes the ring when its turn comes. So an append copies at most `limit` elements, however many there are:
/// some buffers are behind a lock that senders take.
///
/// Invariants: `filled` is the number of elements in the ring, and `behind` of those in the pieces; there is nothing in
/// the pieces if the ring is empty.
@usableFromInline
struct RingBuffer<Element: Sendable>: Sendable {
  @usableFromInline typealias Piece = ContiguousArray<Element?>

  /// The slots of the ring. Their number is zero or a power of two, so that a slot is found by masking.
  @usableFromInline var ring: Piece = []
  @usableFromInline var head = 0
  @usableFromInline var filled = 0
  /// The pieces from `firstPiece` on. All but the last one are full.
  @usableFromInline var pieces: ContiguousArray<Piece> = []
  @usableFromInline var firstPiece = 0
  @usableFromInline var behind = 0

  /// The number of slots of the largest ring, and of a piece.
  @inlinable
  static var limit: Int { 1_024 }

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { filled == 0 }

  @inlinable
  var count: Int { filled + behind }

  /// The element appended before all others.
  @inlinable
  var first: Element? {
    filled == 0 ? nil : ring[head]
  }

  /// The element appended last.
  var last: Element? {
    if behind > 0 { return pieces.last?.last ?? nil }
    return filled == 0 ? nil : ring[(head + filled - 1) & (ring.count - 1)]
  }

  /// The elements, oldest first.
  var elements: [Element] {
    (0..<filled).compactMap { ring[(head + $0) & (ring.count - 1)] } + pieces[firstPiece...].joined().compactMap { $0 }
  }

  /// - Complexity: O(1) amortised, and never more than O(`limit`) by a copy of elements.
  @inlinable
  mutating func append(_ element: Element) {
    guard behind == 0, filled < ring.count || grow() else { return appendBehind(element) }
    assert(ring[(head + filled) & (ring.count - 1)] == nil, "A ring buffer overwrites an element.")
    ring[(head + filled) & (ring.count - 1)] = element
    filled += 1
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func popFirst() -> Element? {
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
    if behind % Self.limit == 0 {
      var piece = Piece()
      piece.reserveCapacity(Self.limit)
      pieces.append(piece)
    }
    pieces[pieces.count - 1].append(element)
    behind += 1
  }

  /// Makes the oldest piece the ring, which is empty.
  @inlinable
  @inline(never)
  mutating func takePiece() {
    ring = []
    head = 0
    swap(&ring, &pieces[firstPiece])
    firstPiece += 1
    filled = ring.count
    behind -= filled
    while ring.count < Self.limit { ring.append(nil) }
    if 2 * firstPiece < pieces.count { return }
    pieces.removeFirst(firstPiece)
    firstPiece = 0
  }
}
