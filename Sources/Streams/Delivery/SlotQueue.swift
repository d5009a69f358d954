/// A first-in, first-out queue of slots, in pieces that are linked. It does not know the type of the values, so that it
/// is compiled once: the code that adds a value fills its slot, and the code that takes it out moves the value from
/// there.
///
/// ```
///   oldest ──▶ piece [ – – c d ] ──▶ piece [ e f g h i · · · ] ◀── newest
///                          ▲ head                    ▲ tail
/// ```
///
/// A new piece is twice as large as the one before it, up to a limit. No slot ever moves, so adding one takes the same
/// time however many there are. A piece that has become empty is kept for the next time; a second one is given back.
///
/// Invariants: the queue is empty if, and only if, `added` equals `removed`; then it has one piece at most, apart from
/// the spare one. A slot that was taken out is used again at the earliest by the next call.
///
/// Safe to send: it owns its memory.
struct SlotQueue: ~Copyable, @unchecked Sendable {
  private struct Piece {
    var next: UnsafeMutablePointer<Piece>?
    let slotCount: Int
  }

  /// The limits of a piece.
  private static var mostSlots: Int { 256 }
  private static var mostBytes: Int { 32_768 }

  /// How many slots were added and removed so far. They may wrap around.
  private(set) var added = 0
  private(set) var removed = 0

  /// Of the values, from the first slot on.
  private(set) var layout = SlotLayout(of: Void.self)
  /// The distance of two slots, where the value begins in a slot, and where the slots begin in a piece.
  private var stride = 0
  private var offset = 0
  private var firstSlot = 0
  private var oldest: UnsafeMutablePointer<Piece>?
  private var newest: UnsafeMutablePointer<Piece>?
  private var spare: UnsafeMutablePointer<Piece>?
  private var head: UnsafeMutableRawPointer?
  private var headEnd: UnsafeMutableRawPointer?
  private var tail: UnsafeMutableRawPointer?
  private var tailEnd: UnsafeMutableRawPointer?

  init() {}

  deinit {
    assert(count == 0, "A line was released with something in it.")
    var piece = oldest
    while let present = piece {
      piece = present.pointee.next
      present.deallocate()
    }
    spare?.deallocate()
  }

  var count: Int { added &- removed }

  /// Adds a slot. The caller fills both of its parts before it does anything else with the queue.
  ///
  /// - Parameter layout: of the value; the same for all values.
  /// - Complexity: O(1).
  @inline(__always)
  mutating func append(_ layout: SlotLayout) -> LineSlot {
    if added == removed { rewind() }
    if tail == tailEnd { addPiece(layout) }
    let address = tail.unsafelyUnwrapped
    tail = address + stride
    added &+= 1
    return LineSlot(address, offset)
  }

  /// The oldest slot, which stays.
  var first: LineSlot? {
    mutating get {
      guard added != removed else { return nil }
      if head == headEnd { leavePiece() }
      return LineSlot(head.unsafelyUnwrapped, offset)
    }
  }

  /// Takes the oldest slot out. The caller moves out what it holds before it does anything else with the queue.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func removeFirst() -> LineSlot {
    assert(count > 0, "A line was asked for more than waits.")
    if head == headEnd { leavePiece() }
    let address = head.unsafelyUnwrapped
    head = address + stride
    removed &+= 1
    return LineSlot(address, offset)
  }

  /// Begins anew in the one piece of an empty queue.
  private mutating func rewind() {
    guard let newest else { return }
    assert(oldest == newest, "A line without anything in it has two pieces.")
    head = slots(of: newest)
    tail = head
  }

  @inline(never)
  private mutating func addPiece(_ layout: SlotLayout) {
    self.layout = layout
    stride = layout.stride
    offset = layout.offset
    firstSlot = max(MemoryLayout<Piece>.stride, layout.slotAlignment)
    let piece = takeSpare() ?? makePiece(layout.slotAlignment)
    let slots = slots(of: piece)
    tail = slots
    tailEnd = slots + piece.pointee.slotCount * stride
    if let newest {
      newest.pointee.next = piece
    } else {
      oldest = piece
      head = tail
      headEnd = tailEnd
    }
    newest = piece
  }

  private func makePiece(_ alignment: Int) -> UnsafeMutablePointer<Piece> {
    let wanted = newest.map { 2 * $0.pointee.slotCount } ?? 8
    let slotCount = max(1, min(wanted, Self.mostSlots, Self.mostBytes / stride))
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: firstSlot + slotCount * stride,
      alignment: max(MemoryLayout<Piece>.alignment, alignment)
    )
    let piece = memory.bindMemory(to: Piece.self, capacity: 1)
    piece.initialize(to: Piece(next: nil, slotCount: slotCount))
    return piece
  }

  private mutating func takeSpare() -> UnsafeMutablePointer<Piece>? {
    guard let piece = spare else { return nil }
    spare = nil
    piece.pointee.next = nil
    return piece
  }

  /// Goes on to the second piece, when the first one has been emptied.
  @inline(never)
  private mutating func leavePiece() {
    guard let left = oldest, let next = left.pointee.next else { return assertionFailure("A line has lost a piece.") }
    oldest = next
    head = slots(of: next)
    headEnd = slots(of: next) + next.pointee.slotCount * stride
    let isLarger = left.pointee.slotCount >= spare?.pointee.slotCount ?? 0
    (isLarger ? spare : left)?.deallocate()
    if isLarger { spare = left }
  }

  private func slots(of piece: UnsafeMutablePointer<Piece>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(piece) + firstSlot
  }
}

/// The size and the alignment of a value that waits in a ``SlotQueue``.
@usableFromInline
struct SlotLayout: Sendable {
  @usableFromInline let size: Int
  @usableFromInline let alignment: Int

  @inlinable
  init<Value>(of: Value.Type) {
    // A value without a size is moved as one byte by code that is not specialised.
    size = max(1, MemoryLayout<Value>.size)
    alignment = MemoryLayout<Value>.alignment
  }

  /// Where the value begins in its slot.
  var offset: Int { rounded(MemoryLayout<LineWaiter>.size, to: alignment) }

  /// The distance of two slots.
  var stride: Int { rounded(offset + size, to: slotAlignment) }

  var slotAlignment: Int { max(MemoryLayout<LineWaiter>.alignment, alignment) }

  /// - Parameter alignment: a power of two.
  private func rounded(_ number: Int, to alignment: Int) -> Int { (number + alignment - 1) & ~(alignment - 1) }
}

extension QueueOwnership {
  /// Delivers a value that has waited, moves it, or drops it.
  ///
  /// - Parameters:
  ///   - queue: the queue in whose line it has waited, which the caller owns.
  ///   - value: the address of the value, which is moved out.
  ///   - place: where the value is to be moved; `nil` if it is to be delivered; the address of the value itself if it
  ///     is to be dropped. A job that is to be dropped runs.
  @usableFromInline
  typealias Delivery =
    @Sendable (
      _ queue: QueueOwnership,
      _ value: UnsafeMutableRawPointer,
      _ place: UnsafeMutableRawPointer?
    ) -> Void
}

/// The first part of a slot: what does something with the value behind it, and where it comes from.
struct LineWaiter {
  let deliver: QueueOwnership.Delivery
  /// The thread that added it.
  let sender: UInt
  /// What brought it about.
  let cause: CarriedCause
}

/// The address of a slot: of its two parts.
struct LineSlot {
  let waiter: UnsafeMutablePointer<LineWaiter>
  let value: UnsafeMutableRawPointer

  init(_ address: UnsafeMutableRawPointer, _ offset: Int) {
    waiter = address.assumingMemoryBound(to: LineWaiter.self)
    value = address + offset
  }
}
