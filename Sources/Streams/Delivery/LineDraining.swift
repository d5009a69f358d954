// What waits is delivered by the owner before it leaves, or by the next one to own the queue.
//
// An owner that has delivered `foreignLimit` items of other threads in one call gives the queue up before the end of
// the line. It starts a task on the concurrent pool that goes on with the rest, piece by piece, and gives the queue up
// after each piece as well. While nothing owns the queue, the next thread that sends becomes the owner and goes on
// itself. So a thread that sends faster than values are delivered comes to deliver them, which slows it down, and the
// line does not depend on the pool.
//
// What the owner's own callbacks send does not count, so a thread that is alone delivers everything itself. When it
// hands over, the whole rest goes, what its own callbacks sent included.
//
// Invariant, under the lock of the line: if something waits and nothing owns the queue, a task is on its way.
extension QueueOwnership {
  /// The number of items of other threads that one call delivers before it hands over, and the number of items that the
  /// task on the pool delivers before it gives up the queue for a moment.
  static var foreignLimit: Int { 1024 }

  /// Delivers what waits in the line and gives up the queue, or hands the rest over. Only the owner calls it.
  @usableFromInline
  final func drain() {
    noteOwner()
    if leaveUnlessWaiting() { return }
    let hasLeft = OngoingWork.leave { deliverLine(atMost: Self.foreignLimit, countingOwn: false) }
    if !hasLeft { handOver() }
  }

  /// Gives up the queue without delivering anything: what waits is handed over. Only the owner calls it.
  @usableFromInline
  final func leaveOrHandOver() {
    if !leaveUnlessWaiting() { handOver() }
  }

  /// Gives up the queue before the end of the line, and starts a task that goes on with it if none is on its way. Only
  /// the owner calls it.
  ///
  /// The task has the highest priority of the owner and of those that have put something in line since it was empty.
  private final func handOver() {
    let owner = TaskPriority.ofSender.rawValue
    let helper = withLine { line in
      line.waiting.value.withLock { waiting in
        waiting.lastThread = CurrentThread.none
        leaveFullLine()
        return waiting.helper.begin(owner)
      }
    }
    guard let (number, priority) = helper else { return }
    Task.detached(priority: TaskPriority(rawValue: priority)) {
      while self.takeUp(number) {
        if self.deliverLine(atMost: Self.foreignLimit, countingOwn: true) { return }
        self.withLine { line in line.waiting.value.withLock { _ in self.leaveFullLine() } }
        await Task.yield()
      }
    }
  }

  /// Gives up a queue whose line has not come to its end. The caller holds the line's lock.
  private final func leaveFullLine() {
    forgetOwner()
    let hasLeft = exchange { $0.leftFullLine() }
    assert(hasLeft, "A line was handed over that nothing waits in.")
  }

  /// Owns the queue again, for the task that the line was handed over to.
  ///
  /// - Parameter number: the number of the task.
  /// - Returns: `false` if the task is no longer needed: another thread owns the queue, or has delivered everything.
  private final func takeUp(_ number: Int) -> Bool {
    withLine { line in
      line.waiting.value.withLock { waiting -> Bool in
        guard waiting.helper.isRunning(number) else { return false }
        if occupy(evenIfClosed: true, closing: false) == .tookOver { return true }
        waiting.helper.stop()
        return false
      }
    }
  }

  /// Delivers what waits in the line and gives up the queue. Only the owner of a queue with a line calls it.
  ///
  /// - Parameters:
  ///   - limit: the number of items that count.
  ///   - countingOwn: whether items that this thread has put in the line count.
  /// - Returns: `false` if the limit was reached before the end of the line; the queue is still owned then.
  private final func deliverLine(atMost limit: Int, countingOwn: Bool) -> Bool {
    let thread = CurrentThread.id
    let words = CauseWords.shared
    let (cause, ofTask) = (words.slot, words.causeOfTask)
    var left = limit
    var isContended = false
    return withLine { line in
      while true {
        // Behind the limit, what comes to wait in this moment is handed over as well.
        if left == 0 { return line.hasDeliveredTaken && leave(line, on: CurrentThread.none) }
        guard let slot = next(of: line, isContended: isContended, on: thread) else { return true }
        isContended = slot.waiter.pointee.sender != thread
        slot.waiter.pointee.cause.deliver(in: cause, ofTask: ofTask) { deliver(slot) }
        if left > 0, countingOwn || isContended { left -= 1 }
      }
    }
  }

  /// Delivers an item with its own cause, also while nothing is recorded: what this thread delivers for others must not
  /// get the cause of its own task. It is released here, too, because to release a value may send something.
  private final func deliver(_ slot: LineSlot) {
    let waiter = slot.waiter.move()
    if let job = waiter.job { job(QueueAccess(of: self)) } else { values.deliver(self, slot.value) }
  }

  /// The next item of the line; `nil` if there is none, and then the queue has been given up.
  ///
  /// - Parameter isContended: whether another thread sent the item before. It is likely to send more, so the owner
  ///   gives it a little time before it looks: what they send one by one would move the queue and all it protects from
  ///   one processor to the other, at every item.
  private final func next(of line: DeliveryLine, isContended: Bool, on thread: UInt) -> LineSlot? {
    while true {
      if let slot = nextTaken(of: line) { return slot }
      if isContended, line.tookFew { CurrentThread.spin() }
      if leave(line, on: isContended ? CurrentThread.none : thread) { return nil }
    }
  }

  /// The next of the items that were taken. It drops the values before it that are to be dropped.
  private final func nextTaken(of line: DeliveryLine) -> LineSlot? {
    while let (slot, isDropped) = line.popTaken() {
      if !isDropped { return slot }
      slot.waiter.deinitialize(count: 1)
      values.drop(slot.value)
    }
    return nil
  }

  /// Gives up the queue, or takes what waits.
  private final func leave(_ line: DeliveryLine, on thread: UInt) -> Bool {
    line.waiting.value.withLock { waiting in
      if line.take(&waiting, on: thread) { return false }
      waiting.helper.end()
      forgetOwner()
      _ = exchange { $0.leftEmptyLine() }
      return true
    }
  }
}
