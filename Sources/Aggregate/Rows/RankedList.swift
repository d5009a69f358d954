/// Rows in the order of a value, for a view of the first ones.
///
/// ```
///   chunks   [ 9 8 8 7 | 7 6 5 | 3 2 2 1 ]      a place is found by halving the chunks, and then one chunk
///             └ window ┘
/// ```
///
/// A row that moves is taken out of one chunk and put into another one, so it costs about a chunk, however many rows there
/// are. Ties are in the order in which the rows were made. A value that does not equal itself (NaN) comes last, whatever
/// the order is.
///
/// Invariants: entries rise along the list, in the order that `precedes` defines; no chunk is empty or has more than
/// `limit` entries.
struct RankedList<Value: Comparable & Sendable, Row: Sendable>: Sendable {
  struct Entry: Sendable {
    var value: Value
    /// Rises with each row that is made.
    let number: UInt64
    let row: Row
  }

  /// A place in the list.
  struct Position: Equatable {
    var chunk: Int
    var offset: Int
  }

  static var limit: Int { 256 }

  private let isDescending: Bool
  private var chunks: [[Entry]] = []
  private(set) var count = 0

  init(descending isDescending: Bool) {
    self.isDescending = isDescending
  }

  /// The first entries, at most `length`.
  ///
  /// - Complexity: O(`length`).
  func first(_ length: Int) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(Swift.min(length, count))
    for chunk in chunks {
      guard entries.count < length else { break }
      entries += chunk.prefix(length - entries.count)
    }
    return entries
  }

  /// Puts an entry where it belongs.
  ///
  /// - Complexity: O(log n + `limit`).
  mutating func insert(_ entry: Entry) -> Position {
    count += 1
    guard !chunks.isEmpty else {
      chunks.append(Self.makeChunk([entry]))
      return Position(chunk: 0, offset: 0)
    }
    var position = self.position(of: entry)
    // Behind the end of a chunk is better than in front of the next one, which may be the end of the list.
    if position.offset == 0, position.chunk > 0 {
      position.chunk -= 1
      position.offset = chunks[position.chunk].count
    }
    chunks[position.chunk].insert(entry, at: position.offset)
    guard chunks[position.chunk].count >= Self.limit else { return position }
    let half = Self.limit / 2
    chunks.insert(Self.makeChunk(chunks[position.chunk][half...]), at: position.chunk + 1)
    chunks[position.chunk].removeSubrange(half...)
    return position.offset < half ? position : Position(chunk: position.chunk + 1, offset: position.offset - half)
  }

  /// Takes out the entry of a row.
  ///
  /// - Parameter entry: has the value with which the row was put into the list.
  /// - Returns: where it was; `nil` if there is no such entry.
  /// - Complexity: O(log n + `limit`).
  mutating func remove(_ entry: Entry) -> Position? {
    guard let position = find(entry) else { return nil }
    chunks[position.chunk].remove(at: position.offset)
    if chunks[position.chunk].isEmpty { chunks.remove(at: position.chunk) }
    count -= 1
    return position
  }

  /// Gives the entry of a row another value.
  ///
  /// - Parameter entry: has the value with which the row was put into the list.
  /// - Returns: where it was and where it is; `nil` if there is no such entry.
  /// - Complexity: O(log n + `limit`); O(log n) if the row stays between the same neighbours.
  mutating func move(_ entry: Entry, to value: Value) -> (from: Position, to: Position)? {
    guard let position = find(entry) else { return nil }
    var moved = entry
    moved.value = value
    if belongs(moved, at: position) {
      chunks[position.chunk][position.offset].value = value
      return (position, position)
    }
    _ = remove(entry)
    return (position, insert(moved))
  }

  /// Returns whether a place is among the first `length`.
  ///
  /// - Complexity: O(`length` / `limit`).
  func isAmongFirst(_ length: Int, _ position: Position) -> Bool {
    var before = position.offset
    var chunk = position.chunk
    while chunk > 0, before < length {
      chunk -= 1
      before += chunks[chunk].count
    }
    return before < length
  }

  // MARK: Order

  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    // A value that differs from itself has no place in the order of the others.
    let isLeftOdd = left.value != left.value
    let isRightOdd = right.value != right.value
    if isLeftOdd || isRightOdd {
      return isLeftOdd == isRightOdd ? left.number < right.number : isRightOdd
    }
    if left.value == right.value { return left.number < right.number }
    return isDescending ? right.value < left.value : left.value < right.value
  }

  /// The place of the first entry that does not precede this one; at the end of the last chunk if there is none.
  private func position(of entry: Entry) -> Position {
    var (low, high) = (0, chunks.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if precedes(chunks[middle][chunks[middle].count - 1], entry) { low = middle + 1 } else { high = middle }
    }
    let chunk = low
    (low, high) = (0, chunks[chunk].count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(chunks[chunk][middle], entry) { low = middle + 1 } else { high = middle }
    }
    return Position(chunk: chunk, offset: low)
  }

  /// Returns whether an entry may stand at a place that is not at the edge of its chunk.
  private func belongs(_ entry: Entry, at position: Position) -> Bool {
    let (before, after) = (position.offset - 1, position.offset + 1)
    guard before >= 0, after < chunks[position.chunk].count else { return false }
    return precedes(chunks[position.chunk][before], entry) && precedes(entry, chunks[position.chunk][after])
  }

  private func find(_ entry: Entry) -> Position? {
    guard !chunks.isEmpty else { return nil }
    let position = position(of: entry)
    if position.offset < chunks[position.chunk].count,
      chunks[position.chunk][position.offset].number == entry.number
    {
      return position
    }
    // An order that is none (`a < b` and `b < a`) has led astray.
    for chunk in chunks.indices {
      if let offset = chunks[chunk].firstIndex(where: { $0.number == entry.number }) {
        return Position(chunk: chunk, offset: offset)
      }
    }
    return nil
  }

  /// Memory for as many entries as a chunk may have, so that entries come and go without an allocation.
  private static func makeChunk(_ entries: some Sequence<Entry>) -> [Entry] {
    var chunk: [Entry] = []
    chunk.reserveCapacity(limit)
    chunk.append(contentsOf: entries)
    return chunk
  }
}
