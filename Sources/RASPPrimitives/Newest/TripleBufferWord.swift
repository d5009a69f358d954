/// The word of a ``TripleBuffer``: which cell is shared, whether it holds a value, whether the reader waits, and
/// whether it is over. A plain state machine: an event gives the next word and what the caller has to do.
///
///                    published                 published
///       ┌─────────┐ ───────────▶ ┌─────────┐ ───────────▶ ┌──────────┐ ─┐
///       │  empty  │              │  fresh  │              │ replaced │  │ published
///       └─────────┘ ◀─────────── └─────────┘              └──────────┘ ◀┘
///        │      ▲      taken                                    │
///        │      └───────────────────────────────────────────────┘ taken
///        │ willWait        published: fresh, wakes
///        ▼                 ended: empty and ended, wakes
///     ┌─────────┐          cancelled: cancelled, wakes
///     │ waiting │ ──────▶
///     └─────────┘
///
/// `ended` is a bit beside `empty`, `fresh` and `replaced`: the reader still takes the last value. `cancelled` is
/// final, and no other event changes the word after it.
///
/// ### Invariants
///
/// 1. Each of the three cells has one owner: the writer, the reader, or the word. A step gives the cell of the caller
///    to the word and the shared cell to the caller, so the three indices stay a permutation of 0, 1, 2.
/// 2. The shared cell holds a value exactly when the word is `fresh`. The cell of the reader is empty between its
///    calls. The cell of the writer is empty between its calls.
/// 3. `replaced` only with `fresh`. `waiting` never with `fresh`, `ended` or `cancelled`.
/// 4. A step that clears `waiting` wakes the reader, so each wait is woken once.
/// 5. After `cancelled` no cell changes its owner. The caller that set the bit owns the value in the shared cell, if
///    there was one.
///
/// ABA: the word comes back to the same bits, for instance `fresh` with cell 1, after two publications and two
/// readings. For the indices that does no harm: the exchange compares the whole word, and what a step needs to know
/// about the cells is in it and in the caller's own index. It would do harm to anything that a caller reads *beside*
/// the word before the exchange. So the continuation of a waiting reader is read after the step that cleared `waiting`,
/// never before: before, it can be that of an earlier wait.
@usableFromInline
package struct TripleBufferWord: Sendable, Equatable {
  /// What an event makes of the word, and what its caller has to do.
  @usableFromInline
  package struct Step: Sendable, Equatable {
    @usableFromInline package let word: TripleBufferWord
    /// The cell that belongs to the caller now.
    @usableFromInline package let cell: UInt8
    /// Whether there is a value in that cell. A writer releases it, a reader returns it.
    @usableFromInline package let hasValue: Bool
    /// Whether the reader's continuation is to be resumed, by the caller.
    @usableFromInline package let wakesReader: Bool

    @inlinable
    @inline(__always)
    package init(_ word: TripleBufferWord, cell: UInt8, hasValue: Bool, wakesReader: Bool) {
      self.word = word
      self.cell = cell
      self.hasValue = hasValue
      self.wakesReader = wakesReader
    }
  }

  @usableFromInline package let bits: UInt8

  @inlinable
  @inline(__always)
  package init(bits: UInt8) {
    self.bits = bits
    assert(sharedCell < 3, "The word of a triple buffer names a cell that does not exist.")
    assert(!has(Self.replaced) || isFresh, "A triple buffer has replaced a value, and none is fresh.")
    assert(
      !has(Self.waiting) || !isFresh && !isOver,
      "A reader waits although there is something to take, or will be nothing."
    )
  }

  /// The two lowest bits are the index of the shared cell.
  @inlinable package static var index: UInt8 { 3 }
  /// The shared cell holds a value that the reader has not taken.
  @inlinable package static var fresh: UInt8 { 4 }
  /// The reader waits to be woken.
  @inlinable package static var waiting: UInt8 { 8 }
  /// The writer is finished.
  @inlinable package static var ended: UInt8 { 16 }
  /// The values are not wanted any more.
  @inlinable package static var cancelled: UInt8 { 32 }
  /// The fresh value replaced one that the reader had not taken.
  @inlinable package static var replaced: UInt8 { 64 }

  /// Cell 1 is shared, cell 0 is the writer's and cell 2 the reader's.
  @inlinable package static var initial: TripleBufferWord { TripleBufferWord(bits: 1) }
  @inlinable package static var firstWriterCell: UInt8 { 0 }
  @inlinable package static var firstReaderCell: UInt8 { 2 }

  @inlinable
  @inline(__always)
  package func has(_ bit: UInt8) -> Bool { bits & bit != 0 }

  @inlinable package var sharedCell: UInt8 {
    @inline(__always) get { bits & Self.index }
  }
  @inlinable package var isFresh: Bool {
    @inline(__always) get { has(Self.fresh) }
  }
  /// Whether no value will come after the one that is fresh, if one is.
  @inlinable package var isOver: Bool {
    @inline(__always) get { has(Self.ended | Self.cancelled) }
  }
  /// Whether the writer has published faster than the reader has taken.
  @inlinable package var hasReplaced: Bool {
    @inline(__always) get { has(Self.replaced) }
  }

  /// The writer publishes what is in its cell. Nothing, if the values are not wanted any more.
  @inlinable
  @inline(__always)
  package func published(from own: UInt8) -> Step? {
    if has(Self.cancelled) { return nil }
    assert(own < 3 && own != sharedCell, "The writer and the word own one cell.")
    let next = bits & Self.ended | Self.fresh | own | (isFresh ? Self.replaced : 0)
    return Step(
      TripleBufferWord(bits: next),
      cell: sharedCell,
      hasValue: isFresh,
      wakesReader: has(Self.waiting)
    )
  }

  /// The reader takes the fresh value. Nothing, if there is none.
  @inlinable
  @inline(__always)
  package func taken(from own: UInt8) -> Step? {
    if !isFresh { return nil }
    assert(own < 3 && own != sharedCell, "The reader and the word own one cell.")
    let next = bits & Self.ended | own
    return Step(TripleBufferWord(bits: next), cell: sharedCell, hasValue: true, wakesReader: false)
  }

  /// The writer is finished. Nothing, if it was already, or if the word is cancelled.
  @inlinable
  @inline(__always)
  package func ended() -> Step? {
    if isOver { return nil }
    let next = (bits | Self.ended) & ~Self.waiting
    return Step(TripleBufferWord(bits: next), cell: sharedCell, hasValue: false, wakesReader: has(Self.waiting))
  }

  /// The values are not wanted any more. Nothing, if they were not before.
  @inlinable
  @inline(__always)
  package func cancelled() -> Step? {
    if has(Self.cancelled) { return nil }
    let next = (bits | Self.cancelled) & ~(Self.fresh | Self.replaced | Self.waiting)
    return Step(TripleBufferWord(bits: next), cell: sharedCell, hasValue: isFresh, wakesReader: has(Self.waiting))
  }

  /// The reader has nothing to take and wants to be woken. Nothing, if there is something to take, or if it is over.
  @inlinable
  @inline(__always)
  package func willWait() -> Step? {
    if isFresh || isOver { return nil }
    assert(!has(Self.waiting), "Two readers wait for one triple buffer.")
    return Step(TripleBufferWord(bits: bits | Self.waiting), cell: sharedCell, hasValue: false, wakesReader: false)
  }
}
