/// Rows in the order of a value, for a view of the first ones.
///
/// ```
///   chunks   [ 9 8 8 7 | 7 6 5 | 3 2 2 1 ]      a place is found by halving the chunks, and then one chunk
///             └ window ┘
/// ```
///
/// A row that moves is taken out of one chunk and put into another one, so it costs about a chunk, however many rows
/// there are. A chunk that has become too large is divided, and one that has become too small is united with its
/// neighbour, so the memory follows the number of rows. Ties are in the order in which the rows were made. A value that
/// does not equal itself (NaN) comes last, whatever the order is.
///
/// Invariants: entries rise along the list, in the order that `order` defines; no chunk is empty or has more than
/// `limit` entries; two neighbours have more than `limit / 2` together.
@usableFromInline
struct RankedList<Value: Comparable & Sendable, Row: Sendable>: Sendable {
  @usableFromInline typealias Entry = RankedEntry<Value, Row>

  @inlinable static var limit: Int { 256 }

  /// The place of an entry.
  @usableFromInline typealias Position = (chunk: Int, offset: Int)

  /// The number of entries that the view shows.
  @usableFromInline let windowLength: Int
  @usableFromInline let order: RankedOrder<Value>
  @usableFromInline var chunks: [[Entry]] = []
  @usableFromInline var count = 0

  /// Makes a list of entries, which are in any order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  init(_ entries: [Entry], _ order: RankedOrder<Value>, window windowLength: Int) {
    self.order = order
    self.windowLength = Swift.max(0, windowLength)
    let sorted = entries.sorted { order.precedes($0, $1) }
    // Three quarters full: there is room for newcomers, and neighbours are not united at once.
    let size = Self.limit / 4 * 3
    for start in stride(from: 0, to: sorted.count, by: size) {
      chunks.append(Self.makeChunk(sorted[start..<Swift.min(start + size, sorted.count)]))
    }
    count = sorted.count
  }

  /// Calls `body` with the first entries.
  ///
  /// - Complexity: O(`windowLength`).
  @inlinable
  @inline(__always)
  func forEachInWindow(_ body: (Entry) -> Void) {
    var left = windowLength
    for chunk in chunks {
      guard left > 0 else { return }
      for entry in chunk.prefix(left) { body(entry) }
      left -= chunk.count
    }
  }

  /// Puts an entry where it belongs.
  ///
  /// - Returns: whether it is in the window.
  /// - Complexity: O(log n + `limit`).
  @inlinable
  mutating func insert(_ entry: Entry) -> Bool {
    count += 1
    guard !chunks.isEmpty else {
      chunks.append(Self.makeChunk(CollectionOfOne(entry)))
      return windowLength > 0
    }
    let position = position(of: entry)
    let isSeen = isInWindow(position)
    chunks[position.chunk].insert(entry, at: position.offset)
    if chunks[position.chunk].count >= Self.limit { divide(position.chunk) }
    return isSeen
  }

  /// Takes out the entry of a row.
  ///
  /// - Parameter entry: has the value with which the row was put into the list.
  /// - Returns: whether it was in the window.
  /// - Complexity: O(log n + `limit`).
  @inlinable
  mutating func remove(_ entry: Entry) -> Bool {
    guard let position = find(entry) else { return false }
    return remove(at: position)
  }

  @inlinable
  mutating func remove(at position: Position) -> Bool {
    let isSeen = isInWindow(position)
    chunks[position.chunk].remove(at: position.offset)
    count -= 1
    if chunks[position.chunk].count < Self.limit / 4 { unite(position.chunk) }
    return isSeen
  }

  /// Gives the entry of a row another value.
  ///
  /// - Parameter entry: has the value with which the row was put into the list.
  /// - Returns: whether it was in the window, or is now.
  /// - Complexity: O(log n + `limit`); O(log n) if the row stays between the same neighbours.
  @inlinable
  mutating func move(_ entry: Entry, to value: Value) -> Bool {
    var moved = entry
    moved.value = value
    guard let position = find(entry) else { return insert(moved) }
    if belongs(moved, at: position) {
      chunks[position.chunk][position.offset].value = value
      return isInWindow(position)
    }
    let wasSeen = remove(at: position)
    return insert(moved) || wasSeen
  }

  @inlinable
  func isInWindow(_ position: Position) -> Bool {
    var rank = position.offset
    var chunk = position.chunk
    while chunk > 0, rank < windowLength {
      chunk -= 1
      rank += chunks[chunk].count
    }
    return rank < windowLength
  }

  // MARK: Order

  /// The place of the first entry that does not precede this one; at the end of the last chunk if there is none.
  @inlinable
  func position(of entry: Entry) -> Position {
    var (low, high) = (0, chunks.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if order.precedes(chunks[middle][chunks[middle].count - 1], entry) { low = middle + 1 } else { high = middle }
    }
    let chunk = low
    (low, high) = (0, chunks[chunk].count)
    while low < high {
      let middle = (low + high) / 2
      if order.precedes(chunks[chunk][middle], entry) { low = middle + 1 } else { high = middle }
    }
    return (chunk, low)
  }

  /// Returns whether an entry may stand at a place, between the neighbours that this has in its chunk. At the edge of a
  /// chunk it may, if the list ends there.
  @inlinable
  func belongs(_ entry: Entry, at position: Position) -> Bool {
    let (before, after) = (position.offset - 1, position.offset + 1)
    let chunk = position.chunk
    if before >= 0 {
      guard order.precedes(chunks[chunk][before], entry) else { return false }
    } else if chunk > 0 {
      return false
    }
    if after < chunks[chunk].count { return order.precedes(entry, chunks[chunk][after]) }
    return chunk == chunks.count - 1
  }

  @inlinable
  func find(_ entry: Entry) -> Position? {
    guard !chunks.isEmpty else { return nil }
    let position = position(of: entry)
    if position.offset < chunks[position.chunk].count,
      chunks[position.chunk][position.offset].number == entry.number
    {
      return position
    }
    return search(for: entry.number)
  }

  /// Looks at all entries, for values whose order is none: `a < b` and `b < a`. Halving does not find these.
  @inlinable
  @inline(never)
  func search(for number: UInt64) -> Position? {
    for chunk in chunks.indices {
      if let offset = chunks[chunk].firstIndex(where: { $0.number == number }) {
        return (chunk, offset)
      }
    }
    return nil
  }

  // MARK: Chunks

  @inlinable
  @inline(never)
  mutating func divide(_ chunk: Int) {
    let half = Self.limit / 2
    chunks.insert(Self.makeChunk(chunks[chunk][half...]), at: chunk + 1)
    chunks[chunk].removeSubrange(half...)
  }

  /// Unites a chunk that has become small with a neighbour, if both have room in one.
  @inlinable
  @inline(never)
  mutating func unite(_ chunk: Int) {
    for first in [chunk, chunk - 1] where first >= 0 && first + 1 < chunks.count {
      guard chunks[first].count + chunks[first + 1].count <= Self.limit / 2 else { continue }
      let second = chunks.remove(at: first + 1)
      chunks[first].append(contentsOf: second)
      return
    }
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// Memory for as many entries as a chunk may have, so that entries come and go without an allocation.
  @inlinable
  static func makeChunk(_ entries: some Sequence<Entry>) -> [Entry] {
    var chunk: [Entry] = []
    chunk.reserveCapacity(limit)
    chunk.append(contentsOf: entries)
    return chunk
  }
}
