/// The places of the rows of a table, in blocks of a few, which do not move. It does not know the type of the rows.
///
/// ```
///   blocks   [ 0 … 15 ] [ 16 … 31 ] [  –  ] [ 48 … 63 ]        a block without rows has no memory
/// ```
///
/// A newcomer takes the place that became free last, or a new one behind all others. So memory that is used stays in
/// the cache, and the places of rows depend on nothing but the calls that were made.
///
/// Invariants: `used` has a bit for each place that has a row; a block has memory as long as one of its bits is set;
/// each place without a row is in `free` once.
@usableFromInline
struct RowBlocks: ~Copyable {
  @inlinable static var shift: Int { 4 }
  @inlinable static var size: Int { 1 << shift }

  @usableFromInline private(set) var blocks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var capacity = 4
  @usableFromInline private(set) var used: [UInt16] = []
  private var free: [UInt32] = []
  @usableFromInline private(set) var count = 0
  private let bytesOfBlock: Int
  private let alignment: Int

  @usableFromInline
  init(stride: Int, alignment: Int) {
    blocks = .allocate(capacity: capacity)
    bytesOfBlock = stride * Self.size
    self.alignment = alignment
  }

  /// Takes a place for a row.
  @usableFromInline
  mutating func take() -> Int {
    if free.isEmpty { addBlock() }
    let place = Int(free.removeLast())
    let block = place >> Self.shift
    if used[block] == 0 { blocks[block] = .allocate(byteCount: bytesOfBlock, alignment: alignment) }
    used[block] |= 1 << UInt16(place & (Self.size - 1))
    count += 1
    return place
  }

  /// Gives back the place of a row that has been destroyed.
  @usableFromInline
  mutating func giveBack(_ place: Int) {
    let block = place >> Self.shift
    assert(used[block] & 1 << UInt16(place & (Self.size - 1)) != 0, "A place was given back twice.")
    free.append(UInt32(place))
    used[block] &= ~(1 << UInt16(place & (Self.size - 1)))
    count -= 1
    if used[block] == 0 {
      blocks[block]?.deallocate()
      blocks[block] = nil
    }
  }

  /// Gives the memory back. The rows have been destroyed.
  @usableFromInline
  func deallocate() {
    for block in used.indices where used[block] != 0 { blocks[block]?.deallocate() }
    blocks.deallocate()
  }

  private mutating func addBlock() {
    if used.count == capacity {
      let larger = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: blocks, count: capacity)
      blocks.deallocate()
      blocks = larger
      capacity *= 2
    }
    (blocks + used.count).initialize(to: nil)
    let first = UInt32(used.count << Self.shift)
    // The last one is taken first.
    for place in (first..<first + UInt32(Self.size)).reversed() { free.append(place) }
    used.append(0)
  }
}
