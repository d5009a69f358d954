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

  static var limit: Int { 256 }

  /// The place of an entry.
  private struct Position {
    var chunk: Int
    var offset: Int
  }

  /// The number of entries that the view shows.
  let windowLength: Int
  private let isDescending: Bool
  private var chunks: [[Entry]] = []
  private(set) var count = 0

  /// Makes a list of entries, which are in any order.
  ///
  /// - Complexity: O(n log n).
  init(_ entries: [Entry] = [], descending isDescending: Bool, window windowLength: Int) {
    self.isDescending = isDescending
    self.windowLength = Swift.max(0, windowLength)
    let sorted = entries.sorted(by: precedes)
    for start in stride(from: 0, to: sorted.count, by: Self.limit / 2) {
      chunks.append(Self.makeChunk(sorted[start..<Swift.min(start + Self.limit / 2, sorted.count)]))
    }
    count = sorted.count
  }

  /// The first entries.
  ///
  /// - Complexity: O(`windowLength`).
  var window: [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(Swift.min(windowLength, count))
    for chunk in chunks {
      guard entries.count < windowLength else { break }
      entries += chunk.prefix(windowLength - entries.count)
    }
    return entries
  }

  /// Puts an entry where it belongs.
  ///
  /// - Returns: whether it is in the window.
  /// - Complexity: O(log n + `limit`).
  mutating func insert(_ entry: Entry) -> Bool {
    count += 1
    guard !chunks.isEmpty else {
      chunks.append(Self.makeChunk([entry]))
      return windowLength > 0
    }
    let position = position(of: entry)
    let isSeen = isInWindow(position)
    chunks[position.chunk].insert(entry, at: position.offset)
    if chunks[position.chunk].count >= Self.limit {
      let half = Self.limit / 2
      chunks.insert(Self.makeChunk(chunks[position.chunk][half...]), at: position.chunk + 1)
      chunks[position.chunk].removeSubrange(half...)
    }
    return isSeen
  }

  /// Takes out the entry of a row.
  ///
  /// - Parameter entry: has the value with which the row was put into the list.
  /// - Returns: whether it was in the window.
  /// - Complexity: O(log n + `limit`).
  mutating func remove(_ entry: Entry) -> Bool {
    guard let position = find(entry) else { return false }
    let isSeen = isInWindow(position)
    chunks[position.chunk].remove(at: position.offset)
    if chunks[position.chunk].isEmpty { chunks.remove(at: position.chunk) }
    count -= 1
    return isSeen
  }

  /// Gives the entry of a row another value.
  ///
  /// - Parameter entry: has the value with which the row was put into the list.
  /// - Returns: whether it was in the window, or is now.
  /// - Complexity: O(log n + `limit`); O(log n) if the row stays between the same neighbours.
  mutating func move(_ entry: Entry, to value: Value) -> Bool {
    var moved = entry
    moved.value = value
    guard let position = find(entry), belongs(moved, at: position) else {
      let wasSeen = remove(entry)
      return insert(moved) || wasSeen
    }
    chunks[position.chunk][position.offset].value = value
    return isInWindow(position)
  }

  private func isInWindow(_ position: Position) -> Bool {
    var rank = position.offset
    var chunk = position.chunk
    while chunk > 0, rank < windowLength {
      chunk -= 1
      rank += chunks[chunk].count
    }
    return rank < windowLength
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
