import Synchronization

// The threads that copy what a queue shares. Each counts itself in the word, and among the borrowers if the queue is owned.
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
    var attempt = 0
    while true {
      // Looked at first, so that readers who wait do not hold up an owner who waits for readers.
      let mayCopy =
        word.load(ordering: .relaxed) & Self.owned == 0 || present.pointee.isLent.load(ordering: .relaxed)
      if mayCopy, let copy = readNow(copy) { return copy }
      CurrentThread.pause(attempt)
      attempt += 1
    }
  }

  /// Copies what is shared, unless the owner is changing it.
  @inlinable
  final func readNow<Copy>(_ copy: () -> Copy) -> Copy? {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    defer { word.subtract(Self.reader, ordering: .releasing) }
    if before & Self.owned == 0 { return copy() }
    return present.pointee.borrow(copy)
  }

  /// Waits for the readers that found the queue idle. A thread calls it that has taken a queue although it had readers.
  @usableFromInline
  final func awaitReaders() {
    CurrentThread.wait { word.load(ordering: .acquiring) & Self.readers == 0 }
  }
}
