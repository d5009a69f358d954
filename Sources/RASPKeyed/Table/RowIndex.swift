/// Finds the numbers of rows by the hash of their keys. The keys are in the rows, so a look-up reads one cache line
/// here and then the row that is meant.
///
/// ```
///   hash 9 ──▶ [ – ][ 9, row 4 ][ 17, row 1 ][ – ] …    eight slots: 9 and 17 belong to the same one, and the
///                                                       second comes behind the first
/// ```
///
/// Invariants: the number of slots is a power of two, and at least a quarter of them are free; there is no free slot
/// between the place where a row belongs and the place where it is.
@usableFromInline
struct RowIndex: ~Copyable {
  @usableFromInline
  struct Slot {
    @usableFromInline var hash: UInt32
    /// The number of the row, beginning with one; zero in a free slot.
    @usableFromInline var row: UInt32
  }

  private static var smallest: Int { 8 }

  @usableFromInline private(set) var slots: UnsafeMutablePointer<Slot>
  /// The number of slots, less one.
  @usableFromInline private(set) var mask: Int
  private(set) var count = 0

  init() {
    slots = Self.allocate(Self.smallest)
    mask = Self.smallest - 1
  }

  @inlinable
  deinit {
    slots.deallocate()
  }

  /// The number of the row with a hash that `isMeant` accepts; `nil` if there is none.
  @inlinable
  @inline(__always)
  func find(_ hash: UInt32, _ isMeant: (_ row: Int) -> Bool) -> Int? {
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[place]
      if slot.row == 0 { return nil }
      if slot.hash == hash, isMeant(Int(slot.row) - 1) { return Int(slot.row) - 1 }
      place = (place + 1) & mask
    }
  }

  /// Adds a row that is not there.
  @usableFromInline
  mutating func insert(_ row: Int, hash: UInt32) {
    assert(row >= 0 && UInt32(exactly: row + 1) != nil, "The number of a row does not fit into its slot.")
    if (count + 1) * 4 > (mask + 1) * 3 { resize(to: (mask + 1) * 2) }
    put(Slot(hash: hash, row: UInt32(row + 1)))
    count += 1
  }

  /// Takes out a row that is there.
  @usableFromInline
  mutating func remove(_ row: Int, hash: UInt32) {
    var gap = Int(truncatingIfNeeded: hash) & mask
    while slots[gap].row != UInt32(row + 1) {
      assert(slots[gap].row != 0, "A row is not in the index.")
      gap = (gap + 1) & mask
    }
    count -= 1
    // Those behind close up, as far as they belong at the gap or before it.
    var next = gap
    while true {
      next = (next + 1) & mask
      let slot = slots[next]
      if slot.row == 0 { break }
      let distance = (next &- Int(truncatingIfNeeded: slot.hash)) & mask
      if distance >= (next - gap) & mask {
        slots[gap] = slot
        gap = next
      }
    }
    slots[gap].row = 0
    if mask >= Self.smallest, count * 8 < mask { resize(to: (mask + 1) / 2) }
  }

  private mutating func put(_ slot: Slot) {
    var place = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[place].row != 0 { place = (place + 1) & mask }
    slots[place] = slot
  }

  private mutating func resize(to size: Int) {
    let old = slots
    let oldMask = mask
    slots = Self.allocate(size)
    mask = size - 1
    for place in 0...oldMask where old[place].row != 0 { put(old[place]) }
    old.deallocate()
  }

  private static func allocate(_ size: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: size)
    slots.initialize(repeating: Slot(hash: 0, row: 0), count: size)
    return slots
  }
}
