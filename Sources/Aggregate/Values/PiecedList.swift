/// A list whose elements come and go at its ends, in pieces: a change of a list of which a copy exists copies a piece and not the
/// whole list. A state that may refuse is copied for each event, so there is a copy whenever such a state changes.
///
/// ```
///   front  [ 2 1 ]    middle  [ 3 4 5 6 ] [ 7 8 9 10 ]    back  [ 11 12 ]
///   the first element at the end      full pieces          at most a piece
/// ```
///
/// The memory of pieces that have become empty is used again.
@usableFromInline
struct PiecedList<Element> {
  @usableFromInline typealias Piece = ContiguousArray<Element>

  @usableFromInline var front: Piece
  @usableFromInline var middle: ContiguousArray<Piece>
  @usableFromInline var back: Piece
  @usableFromInline var spares: ContiguousArray<Piece>

  /// The number of elements of a full piece.
  @inlinable
  static var pieceSize: Int { 32 }

  @inlinable
  init() {
    front = []
    middle = []
    back = []
    spares = []
  }

  /// The number of elements.
  @inlinable
  var count: Int { front.count + middle.count * Self.pieceSize + back.count }

  @inlinable
  var isEmpty: Bool { front.isEmpty && back.isEmpty && middle.isEmpty }

  @inlinable
  var first: Element? { front.last ?? middle.first?.first ?? back.first }

  @inlinable
  var last: Element? { back.last ?? middle.last?.last ?? front.first }

  /// The elements in their order.
  ///
  /// - Complexity: O(elements).
  @inlinable
  var elements: [Element] { front.reversed() + middle.joined() + back }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func append(_ element: Element) {
    if back.count == Self.pieceSize { closeBack() }
    back.append(element)
  }

  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func popLast() -> Element? {
    if back.isEmpty { openBack() }
    return back.popLast()
  }

  /// Takes the first element out, if there is one.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  mutating func removeFirst() {
    if front.isEmpty { openFront() }
    _ = front.popLast()
  }

  /// Takes all elements out.
  ///
  /// - Complexity: O(elements).
  @inlinable
  mutating func removeAll() {
    if isEmpty { return }
    front.removeAll(keepingCapacity: true)
    back.removeAll(keepingCapacity: true)
    for index in middle.indices {
      middle[index].removeAll(keepingCapacity: true)
      spares.append(middle[index])
    }
    middle.removeAll(keepingCapacity: true)
  }

  @inlinable
  @inline(never)
  mutating func closeBack() {
    middle.append(back)
    back = spares.popLast() ?? []
    back.reserveCapacity(Self.pieceSize)
  }

  @inlinable
  @inline(never)
  mutating func openBack() {
    if let piece = middle.popLast() {
      spares.append(back)
      back = piece
    } else {
      back.append(contentsOf: front.reversed())
      front.removeAll(keepingCapacity: true)
    }
  }

  @inlinable
  @inline(never)
  mutating func openFront() {
    if middle.isEmpty {
      front.append(contentsOf: back.reversed())
      back.removeAll(keepingCapacity: true)
    } else {
      var piece = middle.removeFirst()
      front.append(contentsOf: piece.reversed())
      piece.removeAll(keepingCapacity: true)
      spares.append(piece)
    }
  }
}

extension PiecedList: Sendable where Element: Sendable {}

extension PiecedList: Equatable where Element: Equatable {
  @inlinable
  static func == (left: PiecedList, right: PiecedList) -> Bool {
    left.count == right.count && left.elements == right.elements
  }
}
