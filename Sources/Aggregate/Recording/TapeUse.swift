import Streams

/// The tape that is being recorded on, and the number of recorders that use it.
@usableFromInline
struct TapeUse<Cell: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let use = Lock<(cell: Cell, recorders: Int)?>(nil)

  @usableFromInline
  init() {}

  /// Begins to use the tape. If there is one, it is shared.
  func join(_ make: @Sendable () -> Cell) -> Cell {
    ThreadCause.addRecorder()
    return use.withLock { use in
      let cell = use?.cell ?? make()
      use = (cell, (use?.recorders ?? 0) + 1)
      return cell
    }
  }

  /// Ends one use of a tape.
  ///
  /// - Returns: `true` if it was the last one.
  func leave(_ cell: Cell) -> Bool {
    ThreadCause.removeRecorder()
    return use.withLock { present in
      guard let used = present, used.cell === cell else { return false }
      present = used.recorders > 1 ? (cell, used.recorders - 1) : nil
      return present == nil
    }
  }

  /// Is `true` if the last recorder of a tape has not left.
  func isUsed(_ cell: Cell) -> Bool {
    use.withLock { $0?.cell === cell }
  }
}
