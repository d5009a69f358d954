import Synchronization

// What waits is delivered by the owner before it leaves, or by a task that it hands the line over to.
//
// An owner that has delivered `foreignLimit` items of other threads in one call hands the rest of the line to a task on
// the concurrent pool, which delivers it in pieces and lets other tasks run between them. What the owner's own
// callbacks send does not count, so a thread that is alone delivers everything itself. When it hands over, the whole
// rest goes, what its own callbacks sent included.
extension QueueOwnership {
  /// The number of items of other threads that one call delivers before it hands over.
  @usableFromInline static var foreignLimit: Int { 1024 }

  /// The number of items that the task on the pool delivers before it lets other tasks run.
  private static var pieceLimit: Int { 16 * foreignLimit }

  /// Delivers what waits in the line and gives up the queue, or hands both over. Only the owner calls it.
  @usableFromInline
  final func drain() {
    if !deliverLine(atMost: Self.foreignLimit, countingOwn: false) { handOver() }
  }

  /// Goes on with the line on the concurrent pool, in pieces, and lets other tasks run between them. Only the owner
  /// calls it.
  ///
  /// The task has the priority of the owner, and rises with those who wait for it.
  private final func handOver() {
    forgetOwner()
    let priority = TaskPriority.ofSender
    withLine { line in
      let number = line.waiting.value.withLock { $0.helper.begin(priority.rawValue) }
      let task = Task.detached(priority: priority) {
        while !self.deliverLine(atMost: Self.pieceLimit, countingOwn: true) {
          self.forgetOwner()
          await Task.yield()
        }
      }
      line.waiting.value.withLock { $0.helper.note(task, number, startedWith: priority.rawValue) }?.perform()
    }
  }

  /// Delivers what waits in the line and gives up the queue. Only the owner calls it.
  ///
  /// - Parameters:
  ///   - limit: the number of items that count.
  ///   - countingOwn: whether items that this thread has put in the line count.
  /// - Returns: `false` if the limit was reached before the end of the line; the queue is still owned then.
  private final func deliverLine(atMost limit: Int, countingOwn: Bool) -> Bool {
    noteOwner()
    // It is closed, or a thread reads, and nothing has ever waited.
    while presentLine == nil {
      if leaveUnlessWaiting() { return true }
    }
    // The attempt to leave has taken back what was lent, but has not waited for those who were copying.
    if isShared { present.pointee.lend() }
    let thread = CurrentThread.id
    let words = CauseWords.shared
    let (cause, ofTask) = (words.slot, words.causeOfTask)
    var left = limit
    var isContended = false
    return withLine { line in
      while true {
        if left == 0, line.count > 0 { return false }
        guard let slot = next(of: line, isContended: isContended) else { return true }
        isContended = slot.waiter.pointee.sender != thread
        slot.waiter.pointee.cause.deliver(in: cause, ofTask: ofTask) { deliver(slot) }
        if left > 0, countingOwn || isContended { left -= 1 }
      }
    }
  }

  /// Delivers an item with its own cause, also while nothing is recorded: what this thread delivers for others must not
  /// get the cause of its own task. It is released here, too, because to release a value may send something.
  @inline(__always)
  private final func deliver(_ slot: LineSlot) {
    let waiter = slot.waiter.move()
    waiter.deliver(self, slot.value, nil)
  }

  /// The next item of the line; `nil` if there is none, and then the queue has been given up.
  ///
  /// - Parameter isContended: whether another thread sent the item before. It is likely to send more, so the owner
  ///   gives it a little time before it looks: what they send one by one would move the queue and all it protects from
  ///   one processor to the other, at every item.
  @inline(__always)
  private final func next(of line: DeliveryLine, isContended: Bool) -> LineSlot? {
    if let slot = line.popTaken() { return slot }
    if isContended, line.tookFew { CurrentThread.spin() }
    return leave(line) ? nil : line.popTaken()
  }

  /// Gives up the queue, or takes what waits.
  @inline(__always)
  private final func leave(_ line: DeliveryLine) -> Bool {
    if word.load(ordering: .relaxed) & Self.waiting == 0, leaveUnlessWaiting() { return true }
    var helper: Task<Void, Never>?
    let isLeft = line.waiting.value.withLock { waiting in
      guard waiting.items.pointee.count == 0 else {
        line.take(&waiting, for: self)
        return false
      }
      helper = waiting.helper.end()
      leaveEmptyLine()
      return true
    }
    _ = consume helper
    return isLeft
  }

  // MARK: The line

  /// The number of values and jobs that wait.
  @usableFromInline package final var pendingCount: Int {
    presentLine?._withUnsafeGuaranteedRef { $0.count } ?? 0
  }

  /// The number of values that the bound of the line has dropped.
  @usableFromInline package final var droppedCount: Int {
    presentLine?._withUnsafeGuaranteedRef { $0.droppedCount } ?? 0
  }

  /// Calls `body` with the line, which is made if there is none.
  ///
  /// The line lives as long as the queue, so nothing is retained: all threads that send would write the same count.
  @inline(__always)
  final func withLine<Result>(_ body: (DeliveryLine) -> Result) -> Result {
    (presentLine ?? installLine())._withUnsafeGuaranteedRef { body($0) }
  }

  @inline(never)
  private final func installLine() -> Unmanaged<DeliveryLine> {
    let new = Unmanaged.passRetained(DeliveryLine(keeping: policy))
    let opaque = Unmanaged<AnyObject>.fromOpaque(new.toOpaque())
    if line.compareExchange(expected: nil, desired: opaque, ordering: .acquiringAndReleasing).exchanged { return new }
    new.release()
    return presentLine.unsafelyUnwrapped
  }

  /// The line, if there is one. Its type is known, because nothing else is ever stored in its place.
  private final var presentLine: Unmanaged<DeliveryLine>? {
    @inline(__always) get { line.load(ordering: .acquiring).map { .fromOpaque($0.toOpaque()) } }
  }
}
