import Synchronization

/// Three cells and the word that says whose they are: a value on its way from one writer to one reader, neither of
/// which waits for the other.
///
///     memory ──▶ | word | cell 0 | cell 1 | cell 2 |     cache lines that hold nothing else
///                    │
///                    └─ index of the shared cell, and bits
///
///     writer's cell ──── publish: swap ────▶ shared cell ──── take: swap ────▶ reader's cell
///
/// The writer fills its cell and swaps it for the shared one. The reader swaps its cell, which is empty, for the shared
/// one and empties that. Each swap is one atomic exchange of the word. ``TripleBufferWord`` computes it and has the
/// states and the invariants; this type holds the memory.
///
/// The word lies beside the cells, because each call uses both. On cache lines of their own they would cost two
/// transfers between the processors instead of one.
///
/// ### Safe to share
///
/// - The word is atomic, and each change acquires and releases. So what a thread did to a cell before it gave the cell
///   away happens before what the next owner does to it.
/// - A cell is used only by its owner. The functions below that touch a cell take its index, and the caller proves with
///   a step of the word that it owns that cell.
/// - The memory is freed when the last reference to the owner of this structure is released, so no thread uses it any
///   more.
@usableFromInline
package struct TripleBuffer<Element: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutableRawPointer

  @inlinable static var offset: Int { max(MemoryLayout<Atomic<UInt8>>.size, MemoryLayout<Element?>.alignment) }

  @inlinable
  package init() {
    memory = .allocate(
      byteCount: CacheLine.round(up: Self.offset + 3 * MemoryLayout<Element?>.stride),
      alignment: max(CacheLine.size, MemoryLayout<Element?>.alignment)
    )
    memory.bindMemory(to: Atomic<UInt8>.self, capacity: 1).initialize(to: Atomic(TripleBufferWord.initial.bits))
    (memory + Self.offset).bindMemory(to: Element?.self, capacity: 3).initialize(repeating: nil, count: 3)
  }

  @inlinable
  deinit {
    (memory + Self.offset).assumingMemoryBound(to: Element?.self).deinitialize(count: 3)
    atomic.deinitialize(count: 1)
    memory.deallocate()
  }

  @inlinable
  var atomic: UnsafeMutablePointer<Atomic<UInt8>> {
    @inline(__always) get { memory.assumingMemoryBound(to: Atomic<UInt8>.self) }
  }

  /// The word as it is now.
  @inlinable
  package var word: TripleBufferWord {
    @inline(__always) get { TripleBufferWord(bits: atomic.pointee.load(ordering: .acquiring)) }
  }

  /// Changes the word by a step, in one atomic exchange.
  ///
  /// - Parameters:
  ///   - expected: what the word probably is. A wrong guess costs one more exchange.
  ///   - step: computes the step from the word. It is called again when another thread was faster.
  /// - Returns: the step that was done, or `nil` if the word allows none.
  @inlinable
  @inline(__always)
  package func advance(
    from expected: TripleBufferWord,
    by step: (TripleBufferWord) -> TripleBufferWord.Step?
  ) -> TripleBufferWord.Step? {
    var current = expected
    while let next = step(current) {
      let (exchanged, original) = atomic.pointee.compareExchange(
        expected: current.bits,
        desired: next.word.bits,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return next }
      current = TripleBufferWord(bits: original)
    }
    return nil
  }

  /// Puts a value into a cell of the caller and releases what was there.
  @inlinable
  @inline(__always)
  package func put(_ value: Element?, in cell: UInt8) {
    address(of: cell).pointee = value
  }

  /// Takes the value out of a cell of the caller.
  ///
  /// It moves the value out and writes `nil`. The one call that does both, `take()` of the optional, is an access of
  /// its own kind for the thread sanitizer, and in an optimised build that access is noted at the address of the first
  /// cell, whichever cell is meant: a false report.
  @inlinable
  @inline(__always)
  package func take(from cell: UInt8) -> Element? {
    let address = address(of: cell)
    let value = address.move()
    address.initialize(to: nil)
    return value
  }

  @inlinable
  @inline(__always)
  func address(of cell: UInt8) -> UnsafeMutablePointer<Element?> {
    assert(cell < 3, "A triple buffer has three cells.")
    return (memory + Self.offset).assumingMemoryBound(to: Element?.self) + Int(cell)
  }
}
