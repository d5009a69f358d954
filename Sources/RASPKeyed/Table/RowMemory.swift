import Aggregate

/// The memory of the rows of a table: ``RowBlocks``, with the type of the rows. A row is found by its place, which is a
/// number, and does not move.
@usableFromInline
struct RowMemory<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline typealias Row = TableRow<Key, State>

  @usableFromInline var blocks: RowBlocks

  @inlinable
  init() {
    blocks = RowBlocks(stride: MemoryLayout<Row>.stride, alignment: MemoryLayout<Row>.alignment)
  }

  // A deinit that is not inlinable crashes the optimiser where the memory is a property that other modules see.
  @inlinable
  deinit {
    destroy()
  }

  @usableFromInline
  func destroy() {
    forEach { $0.deinitialize(count: 1) }
    blocks.deallocate()
  }

  /// The number of rows.
  @inlinable var count: Int { blocks.count }

  /// The row at a place that has one.
  @inlinable
  @inline(__always)
  func row(at place: Int) -> UnsafeMutablePointer<Row> {
    // Each block is memory for as many rows as it has places, and a row is initialised as long as it has its place.
    blocks.blocks[place >> RowBlocks.shift].unsafelyUnwrapped.assumingMemoryBound(to: Row.self)
      + (place & (RowBlocks.size - 1))
  }

  /// Makes a row.
  @inlinable
  mutating func add(_ key: HashedKey<Key>) -> UnsafeMutablePointer<Row> {
    let place = blocks.take()
    let row = row(at: place)
    row.initialize(to: Row(key, at: place))
    return row
  }

  /// Destroys a row.
  @inlinable
  mutating func remove(_ row: UnsafeMutablePointer<Row>) {
    let place = Int(row.pointee.place)
    assert(self.row(at: place) == row, "A row is not at its place.")
    row.deinitialize(count: 1)
    blocks.giveBack(place)
  }

  /// Calls `body` for each row, in the order of their places.
  @inlinable
  @inline(__always)
  func forEach(_ body: (UnsafeMutablePointer<Row>) -> Void) {
    var block = 0
    while block < blocks.used.count {
      var rest = blocks.used[block]
      while rest != 0 {
        body(row(at: block << RowBlocks.shift + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
      block += 1
    }
  }
}
