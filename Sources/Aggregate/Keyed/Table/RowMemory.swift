/// The memory of the rows of a table: blocks of a few rows, which do not move. A row is found by its place, which is a number.
///
/// ```
///   blocks   [ 0 … 15 ] [ 16 … 31 ] [  –  ] [ 48 … 63 ]        a block without rows has no memory
/// ```
///
/// A newcomer takes the place that became free last, or a new one behind all others. So memory that is used stays in the
/// cache, and the places of rows depend on nothing but the calls that were made.
///
/// Invariants: `used` has a bit for each place that has a row; a block has memory as long as one of its bits is set; each
/// place without a row is in `free` once.
@usableFromInline
struct RowMemory<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline typealias Row = TableRow<Key, State>

  @inlinable static var shift: Int { 4 }
  @inlinable static var blockSize: Int { 1 << shift }

  @usableFromInline private(set) var blocks: UnsafeMutablePointer<UnsafeMutablePointer<Row>?>
  private var capacity = 4
  private var used: [UInt16] = []
  private var free: [UInt32] = []
  private(set) var count = 0

  init() {
    blocks = .allocate(capacity: capacity)
  }

  // A deinit that is not inlinable crashes the optimiser where the memory is a property that other modules see.
  @inlinable
  deinit {
    destroy()
  }

  @usableFromInline
  func destroy() {
    forEach { $0.deinitialize(count: 1) }
    for block in used.indices { blocks[block]?.deallocate() }
    blocks.deallocate()
  }

  /// The row at a place that has one.
  @inlinable
  @inline(__always)
  func row(at place: Int) -> UnsafeMutablePointer<Row> {
    blocks[place >> Self.shift].unsafelyUnwrapped + (place & (Self.blockSize - 1))
  }

  /// Makes a row.
  mutating func add(_ key: HashedKey<Key>) -> UnsafeMutablePointer<Row> {
    if free.isEmpty { addBlock() }
    let place = Int(free.removeLast())
    let block = place >> Self.shift
    if used[block] == 0 { blocks[block] = .allocate(capacity: Self.blockSize) }
    used[block] |= 1 << UInt16(place & (Self.blockSize - 1))
    count += 1
    let row = row(at: place)
    row.initialize(to: Row(key, at: place))
    return row
  }

  /// Destroys a row.
  mutating func remove(_ row: UnsafeMutablePointer<Row>) {
    let place = Int(row.pointee.place)
    let block = place >> Self.shift
    assert(self.row(at: place) == row, "A row is not at its place.")
    row.deinitialize(count: 1)
    free.append(UInt32(place))
    used[block] &= ~(1 << UInt16(place & (Self.blockSize - 1)))
    count -= 1
    if used[block] == 0 {
      blocks[block]?.deallocate()
      blocks[block] = nil
    }
  }

  /// Calls `body` for each row, in the order of their places.
  func forEach(_ body: (UnsafeMutablePointer<Row>) -> Void) {
    for block in used.indices {
      var rest = used[block]
      while rest != 0 {
        body(row(at: block << Self.shift + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  private mutating func addBlock() {
    if used.count == capacity {
      let larger = UnsafeMutablePointer<UnsafeMutablePointer<Row>?>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: blocks, count: capacity)
      blocks.deallocate()
      blocks = larger
      capacity *= 2
    }
    (blocks + used.count).initialize(to: nil)
    let first = used.count << Self.shift
    // The last one is taken first.
    free.append(contentsOf: (first..<first + Self.blockSize).reversed().map { UInt32($0) })
    used.append(0)
  }
}
