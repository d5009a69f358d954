/// A stack in pieces: a change of a stack of which a copy exists copies a piece and not the whole stack. A state that
/// may refuse is copied for each event, so there is a copy whenever such a state changes.
///
/// ```
///   full    [ 1 2 3 4 ] [ 5 6 7 8 ] │ [ ] [ ]       behind `fullCount` pieces, whose memory is used again
///   top     [ 9 10 ]                                at most a piece; empty only behind a `popLast`,
///                                                   or if there is no full one
/// ```
@usableFromInline
struct PiecedStack<Element> {
  @usableFromInline typealias Piece = ContiguousArray<Element>

  @usableFromInline var top: Piece
  @usableFromInline var full: ContiguousArray<Piece>
  @usableFromInline var fullCount: Int

  /// The number of elements of a full piece.
  @inlinable
  static var pieceSize: Int { 32 }

  @inlinable
  init() {
    top = []
    full = []
    fullCount = 0
  }

  /// The number of elements.
  @inlinable
  var count: Int { fullCount * Self.pieceSize + top.count }

  @inlinable
  var isEmpty: Bool { fullCount == 0 && top.isEmpty }

  @inlinable
  var first: Element? { fullCount > 0 ? full[0].first : top.first }

  @inlinable
  var last: Element? { top.last ?? (fullCount > 0 ? full[fullCount - 1].last : nil) }

  /// The elements, the one on top at the end.
  ///
  /// - Complexity: O(elements).
  @inlinable
  var elements: [Element] { Array(full[..<fullCount].joined()) + top }

  /// - Complexity: O(1) amortised. While a copy of the stack exists, each `pieceSize`-th call copies the list of the
  ///   pieces, which is O(elements / `pieceSize`): eight bytes for a piece, and no element.
  @inlinable
  mutating func append(_ element: Element) {
    if top.count == Self.pieceSize { closeTop() }
    top.append(element)
  }

  /// - Complexity: as ``append(_:)``.
  @inlinable
  mutating func popLast() -> Element? {
    if top.isEmpty, fullCount > 0 { openTop() }
    return top.popLast()
  }

  /// Takes all elements out.
  ///
  /// - Complexity: O(elements).
  @inlinable
  mutating func removeAll() {
    if isEmpty { return }
    top.removeAll(keepingCapacity: true)
    for index in 0..<fullCount { full[index].removeAll(keepingCapacity: true) }
    fullCount = 0
  }

  @inlinable
  @inline(never)
  mutating func closeTop() {
    if fullCount == full.count {
      var piece = Piece()
      piece.reserveCapacity(Self.pieceSize)
      full.append(piece)
    }
    swap(&top, &full[fullCount])
    fullCount += 1
  }

  @inlinable
  @inline(never)
  mutating func openTop() {
    fullCount -= 1
    swap(&top, &full[fullCount])
  }

  /// Takes out the piece at the bottom.
  ///
  /// - Parameter place: an empty piece; gets the elements, the first one at the end.
  /// - Complexity: O(1) amortised for each of its elements.
  @inlinable
  mutating func removeBottom(into place: inout Piece) {
    if fullCount == 0 {
      place.append(contentsOf: top.reversed())
      top.removeAll(keepingCapacity: true)
    } else {
      var piece = full.removeFirst()
      fullCount -= 1
      place.append(contentsOf: piece.reversed())
      piece.removeAll(keepingCapacity: true)
      full.append(piece)
    }
  }
}

extension PiecedStack: Sendable where Element: Sendable {}
