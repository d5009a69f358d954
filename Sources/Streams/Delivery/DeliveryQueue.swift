import Synchronization

/// The queue behind the contract's rules 2, 3 and 4: one delivery at a time, in one order, without recursion.
///
/// ```
///   send ──▶ idle? ──yes──▶ own it ──▶ deliver ──▶ leave ──▶ idle
///               │                         ▲           │
///               no                        │           │ something waits
///               ▼                         │           ▼
///             line ───────────────────────┴──── take the next
/// ```
///
/// The thread that finds the queue idle becomes its owner and delivers. What arrives meanwhile, from inside a callback
/// or from another thread, waits in the line, and the owner delivers it before it leaves. Subjects, merges, switches,
/// timed operators and aggregators are shells in this one queue.
///
/// An idle queue is entered and left by one atomic exchange each. The line is made when something has to wait for the
/// first time.
///
/// ### Handing over
///
/// An owner that has delivered ``foreignLimit`` items of other threads in one call hands the rest of the line to a task
/// on the concurrent pool, which delivers it in pieces and lets other tasks run between them. What the owner's own
/// callbacks send does not count, so a thread that is alone delivers everything itself. When it hands over, the whole
/// rest goes, what its own callbacks sent included.
///
/// Safe to share: ownership is atomic, the line is behind its lock, and the shell is behind a ``QueueIsolated``. User
/// code runs with no lock held.
@usableFromInline
package final class DeliveryQueue<Shell: DeliveryShell & ~Copyable>: QueueOwnership, @unchecked Sendable {
  @usableFromInline package typealias Value = Shell.Value

  @usableFromInline package typealias Job = Shell.Job

  /// The number of items of other threads that one call delivers before it hands over.
  @usableFromInline package static var foreignLimit: Int { 1024 }

  /// The number of items that the task on the pool delivers before it lets other tasks run.
  @usableFromInline static var pieceLimit: Int { 16 * foreignLimit }

  @usableFromInline let shell: QueueIsolated<Shell>
  /// `nil` until something has to wait for the first time.
  @usableFromInline let line = Atomic<Unmanaged<DeliveryLine<Shell>>?>(nil)

  /// - Parameter policy: what becomes of values that arrive while the line is full. Jobs are not bounded.
  @inlinable
  package init(_ shell: consuming Shell, buffering policy: BufferingPolicy = .unbounded) {
    self.shell = QueueIsolated(shell)
    super.init(isShared: Shell.isShared)
    if policy != .unbounded { _ = installLine(policy) }
  }

  deinit {
    line.load(ordering: .acquiring)?.release()
  }

  // MARK: Sending

  /// Delivers a value now, or adds it to the line.
  ///
  /// - Returns: `false` if the queue is closed, or if the bound of its line does not admit the value.
  @inlinable
  @inline(__always)
  package func send(_ value: Value) -> Bool {
    send(value) { shell, access in shell.deliver(value, access) }
  }

  /// Does the same as ``send(_:)`` for a value that is made only if it has to wait. Otherwise `deliver` uses its parts
  /// at once, and no reference is counted.
  ///
  /// - Parameter deliver: does what the shell does with the value.
  @inlinable
  @inline(__always)
  package func send(_ value: @autoclosure () -> Value, now deliver: (inout Shell, QueueAccess) -> Void) -> Bool {
    guard enter(isShared: Shell.isShared) else { return sendLater(value()) }
    let access = QueueAccess(of: self)
    deliver(&shell[access], access)
    leaveOrDrain()
    return true
  }

  /// Sends to a queue that was not idle. It retains nothing of this object: counting a reference would move the cache
  /// line of the count away from the processor of the thread that is delivering.
  @inlinable
  @inline(never)
  func sendLater(_ value: Value) -> Bool {
    switch admit(.value(value)) {
    case .queued: return true
    case .refused: return false
    case .entered:
      deliver(value)
      leaveOrDrain()
      return true
    }
  }

  @inlinable
  @inline(__always)
  func deliver(_ value: Value) {
    let access = QueueAccess(of: self)
    shell[access].deliver(value, access)
  }

  /// Delivers several values with nothing between them, or adds them to the line.
  ///
  /// - Returns: `false` if the queue is closed, or if the bound of its line admits none of the values.
  @inlinable
  package func send(contentsOf values: [Value]) -> Bool {
    guard enter(isShared: Shell.isShared) else { return sendLater(contentsOf: values) }
    for value in values { deliver(value) }
    leaveOrDrain()
    return true
  }

  /// Runs a job between two deliveries: now, or by the owner. A closed queue still runs jobs.
  @inlinable
  package func run(_ job: @escaping Job) {
    if enter(isShared: Shell.isShared) || admit(.job(job)) == .entered { perform(job) }
  }

  /// Runs a last job behind everything that was accepted, and accepts no value from now on.
  ///
  /// - Returns: `false` if the queue was closed before; the job is dropped then.
  @inlinable
  package func close(_ last: @escaping Job) -> Bool {
    if enter(isShared: Shell.isShared, closing: true) {
      perform(last)
      return true
    }
    switch admit(.job(last), asTheLast: true) {
    case .queued: return true
    case .refused: return false
    case .entered:
      perform(last)
      return true
    }
  }

  @inlinable
  func perform(_ job: Job) {
    let access = QueueAccess(of: self)
    job(&shell[access], access)
    leaveOrDrain()
  }

  /// Gives up the queue after everything that waits in the line.
  @inlinable
  @inline(__always)
  func leaveOrDrain() {
    if Shell.hasFollowUps { return leaveAndFollowUp() }
    if !leave(isShared: Shell.isShared) { drain() }
  }

  /// Gives up the queue behind everything that waits, and does what the deliveries have left to be done. If something waits,
  /// that comes first.
  @inlinable
  func leaveAndFollowUp() {
    let access = QueueAccess(of: self)
    let followUp = shell[access].takeFollowUp()
    if leave(isShared: Shell.isShared) {
      followUp?()
    } else {
      noteOwner(isShared: Shell.isShared)
      if let followUp { keepFollowUps([followUp]) }
      drain()
    }
  }

  /// Changes the shell without ever delivering for others, so the caller may hold any lock of its own: at once if the
  /// queue is idle, otherwise as a job of the owner.
  ///
  /// - Parameter change: runs no user code; it returns what it took out, which is released when the queue is free
  ///   again.
  @inlinable
  package func maintain<Garbage>(_ change: @escaping @Sendable (inout Shell, QueueAccess) -> Garbage) {
    while !beginMaintenance() {
      if putInLine({ shell, access in _ = change(&shell, access) }) { return }
    }
    let access = QueueAccess(of: self)
    let garbage = change(&shell[access], access)
    endMaintenance()
    _ = consume garbage
  }

  // MARK: The line

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
    if Shell.isShared { lend() }
    while true {
      if left == 0, pendingCount > 0 { return false }
      // Taken out while the queue is owned, and done when it is not any more.
      let followUps = Shell.hasFollowUps ? takeFollowUps() : []
      guard let item = next(isContended: isContended) else {
        if Shell.hasFollowUps { for followUp in followUps { followUp() } }
        return true
      }
      if Shell.hasFollowUps { keepFollowUps(followUps) }
      switch item.work {
      case .value(let value): deliver(value)
      case .job(let job):
        let access = QueueAccess(of: self)
        job(&shell[access], access)
      }
      isContended = item.sender != thread
      if left > 0, countingOwn || isContended { left -= 1 }
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

extension QueueAccess {
  /// Returns the queue itself, to be kept for later sends.
  @inlinable
  package func queue<Shell: DeliveryShell & ~Copyable>(of: Shell.Type) -> DeliveryQueue<Shell> {
    unsafeDowncast(queue.takeUnretainedValue(), to: DeliveryQueue<Shell>.self)
  }
}
