import Synchronization

// The threads that copy what a queue shares. Each counts itself in the word, and among the borrowers if the queue is
// owned.
extension QueueOwnership {
  /// Copies what is shared, from any thread. It does not wait for user code, except for the owner's change of what is
  /// shared.
  ///
  /// - Parameters:
  ///   - isChanging: whether the owner is changing what is shared. Asked only if this thread is the owner.
  ///   - copy: copies, and does nothing else.
  /// - Returns: `nil` if this very thread is changing what is shared.
  @inlinable
  package final func read<Copy>(unless isChanging: () -> Bool, _ copy: () -> Copy) -> Copy? {
    if isOwnedByThisThread { return isChanging() ? nil : copy() }
    return readFromOutside(copy)
  }

  /// Does the same for any thread but the owner's.
  @inlinable
  @inline(__always)
  package final func readFromOutside<Copy>(_ copy: () -> Copy) -> Copy {
    let reader = beginReading()
    defer { endReading(reader) }
    return copy()
  }

  /// Begins to copy what is shared, from any thread but the owner's. It does not wait for user code, except for the
  /// owner's change of what is shared.
  ///
  /// - Returns: how this reader is counted, for ``endReading(_:)``.
  @inlinable
  @inline(__always)
  final func beginReading() -> Reader {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    return before & Self.owned == 0 ? .ofIdleQueue : beginReadingOwned()
  }

  /// Copies what is shared, from any thread, if nothing is being delivered: then everything that was accepted before
  /// has been.
  ///
  /// - Parameter copy: copies, and does nothing else.
  @inlinable
  @inline(__always)
  package final func readIfIdle<Copy>(_ copy: () -> Copy) -> Copy? {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    defer { word.subtract(Self.reader, ordering: .releasing) }
    return before & Self.owned == 0 ? copy() : nil
  }

  /// Goes on where the queue turned out to be owned, or to be about to be.
  @usableFromInline
  final func beginReadingOwned() -> Reader {
    var attempt = 0
    while true {
      if present.pointee.beginBorrowing() { return .ofLoan }
      // Withdrawn meanwhile, so that readers who wait do not hold up an owner who waits for readers.
      word.subtract(Self.reader, ordering: .releasing)
      while word.load(ordering: .relaxed) & Self.owned != 0, !present.pointee.isLent.load(ordering: .relaxed) {
        CurrentThread.pause(attempt)
        attempt += 1
      }
      let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
      if before & Self.owned == 0 { return .ofIdleQueue }
    }
  }

  /// Ends what ``beginReading()`` has begun.
  @inlinable
  @inline(__always)
  final func endReading(_ reader: Reader) {
    if reader == .ofLoan { present.pointee.endBorrowing() }
    word.subtract(Self.reader, ordering: .releasing)
  }

  /// How a thread that copies is counted.
  @usableFromInline
  enum Reader: Sendable {
    /// In the word: the queue was idle when it came.
    case ofIdleQueue
    /// In the word, and among the borrowers.
    case ofLoan
  }

  /// Waits for the readers that found the queue idle. A thread calls it that has taken a queue although it had readers.
  @usableFromInline
  final func awaitReaders() {
    CurrentThread.wait { word.load(ordering: .acquiring) & Self.readers == 0 }
  }
}
