// Jobs, changes and reads of code that knows what a queue protects by its address, and not by its type: it looks no type up
// at run time, and is compiled once.
//
// It is for queues whose deliveries leave nothing to be done when the queue is free.
extension QueueOwnership {
  /// Runs a job if the queue is idle, and then all that has come to wait.
  ///
  /// - Returns: `false` if the queue is not idle; nothing has happened then.
  package final func runIfIdle(_ job: (QueueAccess) -> Void) -> Bool {
    guard enter(isShared: isShared) else { return false }
    job(QueueAccess(of: self))
    if !leave(isShared: isShared) { drain() }
    return true
  }

  /// Runs a job between two deliveries, for a queue that was not idle. A closed queue still runs jobs.
  package final func runLater(_ job: @escaping @Sendable (QueueAccess) -> Void) {
    _ = admitJob(asTheLast: false) { queue, _, _ in job(QueueAccess(of: queue)) }
  }

  /// Makes a change that runs no user code, and never delivers for others, if the queue is not owned.
  ///
  /// - Returns: `false` if the queue is owned; nothing has happened then.
  package final func maintainIfFree(_ change: (QueueAccess) -> Void) -> Bool {
    guard beginMaintenance() else { return false }
    change(QueueAccess(of: self))
    endMaintenance()
    return true
  }

  /// Leaves such a change to the owner.
  ///
  /// - Returns: `false` if the queue has no owner; nothing has happened then.
  package final func maintainLater(_ change: @escaping @Sendable (QueueAccess) -> Void) -> Bool {
    putInLine { queue, _, _ in change(QueueAccess(of: queue)) }
  }

  /// Begins to copy what is shared, from any thread but the owner's. It does not wait for user code, except for the owner's
  /// change of what is shared.
  ///
  /// - Returns: how this reader is counted, for ``endReading(_:)``.
  @inlinable
  @inline(__always)
  package final func beginReading() -> Reader {
    let before = word.add(Self.reader, ordering: .acquiringAndReleasing).oldValue
    return before & Self.owned == 0 ? .ofIdleQueue : beginReadingOwned()
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
  package final func endReading(_ reader: Reader) {
    if reader == .ofLoan { present.pointee.endBorrowing() }
    word.subtract(Self.reader, ordering: .releasing)
  }

  /// How a thread that copies is counted.
  @usableFromInline
  package enum Reader: Sendable {
    /// In the word: the queue was idle when it came.
    case ofIdleQueue
    /// In the word, and among the borrowers.
    case ofLoan
  }
}

extension DeliveryQueue where Shell: ~Copyable {
  /// The address of what the queue protects, for code that shows its access before it uses it.
  @inlinable
  package var address: UnsafeMutablePointer<Shell> { shell.pointer }
}
