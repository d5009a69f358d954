/// The values and jobs that wait, in one order: a first-in, first-out queue of slots, in pieces that are linked.
///
/// It does not know the type of the values, so that it is compiled once. The code that adds a value fills its slot, and
/// the code that takes it out moves the value from there, see ``ValueOperations``.
///
/// ```
///   oldest ──▶ piece [ – – c d ] ──▶ piece [ e f g h i · · · ] ◀── newest
///                          ▲ head                    ▲ tail
/// ```
///
/// A piece begins with the address of the next one. No slot ever moves, so adding one takes the same time however many
/// there are. The piece that was emptied last is kept for the next time.
///
/// Invariants: an empty queue has one piece at most, apart from the spare one. A slot that was taken out is not used
/// again before the next one is taken out, or ``rewind()`` is called, whatever is added meanwhile.
///
/// Safe to send: it owns its memory.
struct SlotQueue: ~Copyable, @unchecked Sendable {
  /// The number of values and jobs, and of values alone.
  private(set) var count = 0
  private(set) var valueCount = 0

  private let layout: SlotLayout
  private var oldest: UnsafeMutableRawPointer?
  private var newest: UnsafeMutableRawPointer?
  private var spare: UnsafeMutableRawPointer?
  private var head: UnsafeMutableRawPointer?
  private var headEnd: UnsafeMutableRawPointer?
  private var tail: UnsafeMutableRawPointer?
  private var tailEnd: UnsafeMutableRawPointer?

  init(_ layout: SlotLayout) {
    self.layout = layout
  }

  deinit {
    assert(count == 0, "A line was released with something in it.")
    oldest?.deallocate()
    spare?.deallocate()
  }

  /// Adds a slot. If it is for a value, the caller puts the value in before it does anything else with the queue.
  ///
  /// - Complexity: O(1).
  @discardableResult
  mutating func append(_ waiter: consuming LineWaiter) -> LineSlot {
    if tail == tailEnd { addPiece() }
    let slot = LineSlot(tail.unsafelyUnwrapped, layout)
    tail = slot.address + layout.stride
    count += 1
    if waiter.isValue { valueCount += 1 }
    slot.waiter.initialize(to: waiter)
    return slot
  }

  /// Takes the oldest slot out. The caller moves out what it holds.
  ///
  /// - Complexity: O(1).
  mutating func removeFirst() -> LineSlot? {
    guard count > 0 else { return nil }
    if head == headEnd { leavePiece() }
    let slot = LineSlot(head.unsafelyUnwrapped, layout)
    head = slot.address + layout.stride
    count -= 1
    if slot.waiter.pointee.isValue { valueCount -= 1 }
    return slot
  }

  /// Uses the one piece of an empty queue from its beginning.
  mutating func rewind() {
    guard count == 0, let newest else { return }
    head = newest + layout.firstSlot
    tail = head
  }

  @inline(never)
  private mutating func addPiece() {
    let piece = spare.take() ?? .allocate(byteCount: layout.pieceSize, alignment: layout.alignment)
    (tail, tailEnd) = (piece + layout.firstSlot, piece + layout.pieceSize)
    if let newest {
      newest.storeBytes(of: piece, as: UnsafeMutableRawPointer.self)
    } else {
      (oldest, head, headEnd) = (piece, tail, tailEnd)
    }
    newest = piece
  }

  /// Goes on to the second piece, when the first one has been emptied.
  @inline(never)
  private mutating func leavePiece() {
    guard let left = oldest else { return assertionFailure("A line has lost a piece.") }
    let next = left.load(as: UnsafeMutableRawPointer.self)
    (oldest, head, headEnd) = (next, next + layout.firstSlot, next + layout.pieceSize)
    spare?.deallocate()
    spare = left
  }
}

/// Where a slot has its parts, and how far slots are from each other.
struct SlotLayout: Sendable {
  /// Where the value begins in its slot.
  let offset: Int
  /// The distance of two slots.
  let stride: Int
  let alignment: Int
  /// Where the slots begin in a piece, behind the address of the next one.
  let firstSlot: Int
  /// The number of bytes of a piece: of 16 slots.
  let pieceSize: Int

  /// - Parameters:
  ///   - size: of a value.
  ///   - alignment: of a value, a power of two.
  init(size: Int, alignment: Int) {
    func rounded(_ number: Int, to alignment: Int) -> Int { (number + alignment - 1) & ~(alignment - 1) }
    self.alignment = max(MemoryLayout<LineWaiter>.alignment, alignment)
    offset = rounded(MemoryLayout<LineWaiter>.size, to: alignment)
    // A value without a size is moved as one byte by code that is not specialised.
    stride = rounded(offset + max(1, size), to: self.alignment)
    firstSlot = rounded(MemoryLayout<UnsafeRawPointer>.size, to: self.alignment)
    pieceSize = firstSlot + 16 * stride
  }
}

/// The first part of a slot: what waits, and where it comes from.
struct LineWaiter {
  /// `nil` if a value waits, which is the second part of the slot.
  let job: QueueOwnership.LineJob?
  /// The thread that added it.
  let sender: UInt
  /// What brought it about.
  let cause: CarriedCause

  var isValue: Bool { job == nil }
}

/// The address of a slot: of its two parts.
struct LineSlot {
  let waiter: UnsafeMutablePointer<LineWaiter>
  let value: UnsafeMutableRawPointer

  init(_ address: UnsafeMutableRawPointer, _ layout: SlotLayout) {
    waiter = address.assumingMemoryBound(to: LineWaiter.self)
    value = address + layout.offset
  }

  var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(waiter) }
}
