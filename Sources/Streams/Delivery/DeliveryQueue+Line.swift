import Synchronization

// What has to wait: it is put in line, and the owner delivers it before it leaves.
//
// An owner that has delivered `foreignLimit` items of other threads in one call hands the rest of the line to a task on
// the concurrent pool, which delivers it in pieces and lets other tasks run between them. What the owner's own callbacks
// send does not count, so a thread that is alone delivers everything itself. When it hands over, the whole rest goes,
// what its own callbacks sent included.
extension DeliveryQueue where Shell: ~Copyable {
  /// The number of items of other threads that one call delivers before it hands over.
  @usableFromInline package static var foreignLimit: Int { 1024 }

  /// The number of items that the task on the pool delivers before it lets other tasks run.
  @usableFromInline static var pieceLimit: Int { 16 * foreignLimit }

  @inlinable
  @inline(never)
  func admit(_ work: DeliveryLine<Shell>.Work, asTheLast closing: Bool = false) -> Admission {
    let item = DeliveryLine<Shell>.Item(work)
    let (admission, dropped) = withLine { line in
      line.waiting.value.withLock { waiting -> (Admission, DeliveryLine<Shell>.Item?) in
        let admission = occupy(evenIfClosed: item.isJob && !closing, closing: closing)
        guard admission == .queued else { return (admission, nil) }
        switch waiting.append(item, keeping: line.policy) {
        case .kept: return (.queued, nil)
        case .replaced(let oldest): return (.queued, oldest)
        case .dropped: return (.refused, nil)
        }
      }
    }
    _ = consume dropped
    if admission == .entered, Shell.isShared { awaitReaders() }
    return admission
  }

  @inlinable
  @inline(never)
  func sendLater(contentsOf values: [Value]) -> Bool {
    let items = values.map { DeliveryLine<Shell>.Item(.value($0)) }
    let (admission, dropped) = withLine { line in
      line.waiting.value.withLock { waiting -> (Admission, [DeliveryLine<Shell>.Item]) in
        let admission = occupy(evenIfClosed: false, closing: false)
        guard admission == .queued else { return (admission, []) }
        var isAccepted = items.isEmpty
        var dropped: [DeliveryLine<Shell>.Item] = []
        for item in items {
          switch waiting.append(item, keeping: line.policy) {
          case .kept: isAccepted = true
          case .replaced(let oldest):
            isAccepted = true
            dropped.append(oldest)
          case .dropped: break
          }
        }
        return (isAccepted ? .queued : .refused, dropped)
      }
    }
    _ = consume dropped
    if admission == .entered {
      // It was idle but for readers or for the end of a maintenance, so the bound of the line does not count.
      if Shell.isShared { awaitReaders() }
      for value in values { deliver(value) }
      leaveOrDrain()
    }
    return admission != .refused
  }

  /// Adds a job to the line, for the owner.
  ///
  /// - Returns: `false` if there is no owner.
  @inlinable
  @inline(never)
  func putInLine(_ job: @escaping Job) -> Bool {
    withLine { line in
      line.waiting.value.withLock { waiting in
        guard detainOwner() else { return false }
        _ = waiting.append(DeliveryLine.Item(.job(job)), keeping: .unbounded)
        return true
      }
    }
  }

  /// Calls `body` with the line, which is made if there is none.
  ///
  /// The line lives as long as the queue, so nothing is retained: all threads that send would write the same count.
  @inlinable
  @inline(__always)
  func withLine<Result>(_ body: (DeliveryLine<Shell>) -> Result) -> Result {
    (line.load(ordering: .acquiring) ?? installLine(.unbounded))._withUnsafeGuaranteedRef { body($0) }
  }

  @inlinable
  @inline(never)
  func installLine(_ policy: BufferingPolicy) -> Unmanaged<DeliveryLine<Shell>> {
    let new = Unmanaged.passRetained(DeliveryLine<Shell>(keeping: policy))
    let (isInstalled, present) = line.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if isInstalled { return new }
    new.release()
    return present.unsafelyUnwrapped
  }

  /// The number of values and jobs that wait.
  @usableFromInline package var pendingCount: Int {
    line.load(ordering: .acquiring)?.takeUnretainedValue().count ?? 0
  }

  /// The number of values that the bound of the line has dropped.
  package var droppedCount: Int {
    line.load(ordering: .acquiring)?.takeUnretainedValue().waiting.value.withLock(\.droppedCount) ?? 0
  }

  // MARK: Draining

  /// Delivers what waits in the line and gives up the queue, or hands both over. Only the owner calls it.
  @inlinable
  @inline(never)
  func drain() {
    // The closure is made here, where the type of the values is known: what delivers the rest is specialised as well.
    if !deliverLine(atMost: Self.foreignLimit, countingOwn: false) {
      handOver { self.deliverLine(atMost: Self.pieceLimit, countingOwn: true) }
    }
  }

  /// Delivers what waits in the line and gives up the queue. Only the owner calls it.
  ///
  /// - Parameters:
  ///   - limit: the number of items that count.
  ///   - countingOwn: whether items that this thread has put in the line count.
  /// - Returns: `false` if the limit was reached before the end of the line; the queue is still owned then.
  @inlinable
  func deliverLine(atMost limit: Int, countingOwn: Bool) -> Bool {
    let thread = CurrentThread.id
    var left = limit
    var isContended = false
    noteOwner(isShared: Shell.isShared)
    // The attempt to leave has taken back what was lent, but has not waited for those who were copying.
    if Shell.isShared { present.pointee.lend() }
    while true {
      if left == 0, pendingCount > 0 { return false }
      // Taken out while the queue is owned, and done when it is not any more.
      let followUps = Shell.hasFollowUps ? takeFollowUps() : []
      guard let item = next(isContended: isContended) else {
        if Shell.hasFollowUps { run(followUps) }
        return true
      }
      if Shell.hasFollowUps { keepFollowUps(followUps) }
      isContended = item.sender != thread
      deliver(consume item)
      if left > 0, countingOwn || isContended { left -= 1 }
    }
  }

  /// Delivers an item of the line with its own cause, also while nothing is recorded: what this thread delivers for others
  /// must not get the cause of its own task. It is released there, too, because to release a value may send something.
  @inlinable
  @inline(__always)
  func deliver(_ item: consuming DeliveryLine<Shell>.Item) {
    let cause = item.cause
    var work = Optional((consume item).work)
    cause.deliver {
      if let work = work.take() { deliver(work) }
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ work: DeliveryLine<Shell>.Work) {
    switch work {
    case .value(let value): deliver(value)
    case .job(let job):
      let access = QueueAccess(of: self)
      job(&shell[access], access)
    }
  }

  /// Takes out what all deliveries of this line so far have left to be done.
  @usableFromInline
  func takeFollowUps() -> [@Sendable () -> Void] {
    let access = QueueAccess(of: self)
    let newest = shell[access].takeFollowUp()
    guard let line = line.load(ordering: .acquiring)?.takeUnretainedValue() else { return newest.map { [$0] } ?? [] }
    var followUps = line.followUps[access]
    line.followUps[access] = []
    if let newest { followUps.append(newest) }
    return followUps
  }

  /// Does what is left to be done. Each step has its own cause; what is released behind them has none.
  @usableFromInline
  func run(_ followUps: consuming [@Sendable () -> Void]) {
    guard !followUps.isEmpty else { return }
    var followUps = Optional(followUps)
    CarriedCause.unknown.deliver {
      for followUp in followUps.take() ?? [] { followUp() }
    }
  }

  @usableFromInline
  func keepFollowUps(_ followUps: [@Sendable () -> Void]) {
    guard !followUps.isEmpty else { return }
    let access = QueueAccess(of: self)
    withLine { $0.followUps[access] = followUps }
  }

  /// The next item of the line; `nil` if there is none, and then the queue has been given up.
  ///
  /// - Parameter isContended: whether another thread sent the item before. It is likely to send more, so the owner gives
  ///   it a little time before it looks: what they send one by one would move the queue and all it protects from one
  ///   processor to the other, at every item.
  @inlinable
  func next(isContended: Bool) -> DeliveryLine<Shell>.Item? {
    guard let line = line.load(ordering: .acquiring) else {
      if leaveUnlessWaiting() { return nil }
      return next(isContended: isContended)
    }
    return line._withUnsafeGuaranteedRef { next(of: $0, isContended: isContended) }
  }

  @inlinable
  @inline(__always)
  func next(of line: DeliveryLine<Shell>, isContended: Bool) -> DeliveryLine<Shell>.Item? {
    let access = QueueAccess(of: self)
    if let item = line.popTaken(access) { return item }
    if isContended, line.tookFew(access) { CurrentThread.linger() }
    if word.load(ordering: .relaxed) & Self.waiting == 0, leaveUnlessWaiting() { return nil }
    let large = line.waiting.value.withLock { waiting -> [RingBuffer<DeliveryLine<Shell>.Item>]? in
      if waiting.items.isEmpty {
        let large = line.takeLargeStorage(&waiting, access)
        leaveEmptyLine()
        return large
      }
      line.take(&waiting, access)
      return nil
    }
    return large == nil ? line.popTaken(access) : nil
  }
}
