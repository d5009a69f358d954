import RASPPrimitives
import Synchronization

// What has to wait is put in line, and the owner delivers it before it leaves. All of it is code that does not depend
// on the type of the values.
extension QueueOwnership {
  /// The result of an attempt to own the queue.
  @usableFromInline
  enum Admission: Sendable {
    /// The queue was idle: the caller owns it now.
    case entered
    /// The owner will do it.
    case queued
    /// The queue is closed, or its bound does not admit the value.
    case refused
  }

  /// Puts values in line, or delivers them if the queue turns out to have no owner.
  ///
  /// - Parameters:
  ///   - layout: of a value.
  ///   - deliver: delivers one of the values.
  ///   - fill: moves the value with an index to a place. If there is an oldest value, it moves that out first, to be
  ///     released after this has returned. It runs under the lock.
  /// - Returns: `false` if the queue is closed, or if the bound of the line admits none of the values.
  @usableFromInline
  final func admit(
    _ count: Int,
    _ layout: SlotLayout,
    _ deliver: @escaping Delivery,
    fill: (_ index: Int, _ place: UnsafeMutableRawPointer, _ oldest: UnsafeMutableRawPointer?) -> Void
  ) -> Bool {
    let (sender, cause) = (CurrentThread.id, CarriedCause.current)
    var isAccepted = count == 0
    let admission = withLine { line in
      line.admit(to: self, from: sender, evenIfClosed: false, closing: false) { waiting, taken in
        for index in 0..<count {
          let (oldest, isFull) = taken == nil ? waiting.makeRoom(line.policy) : (nil, false)
          if isFull { continue }
          _ = oldest?.waiter.move()
          let slot = (taken?.pointee.items.pointer ?? waiting.items.pointer).pointee.addValue(layout)
          slot.waiter.initialize(to: LineWaiter(deliver: deliver, sender: sender, cause: cause))
          fill(index, slot.value, oldest?.value)
          isAccepted = true
        }
      }
    }
    if admission == .entered { drain() }
    return isAccepted && admission != .refused
  }

  /// Puts a job in line, or performs it if the queue turns out to have no owner. A bound does not count jobs.
  ///
  /// - Parameters:
  ///   - closing: whether it is the last job of the queue, which is closed from now on.
  ///   - isDropping: whether the values that wait before the last job are dropped instead of delivered.
  /// - Returns: `false` if the job is the last one and the queue was closed before. Then nothing is dropped.
  @usableFromInline
  final func admitJob(asTheLast closing: Bool, droppingPending isDropping: Bool = false, _ job: @escaping Delivery)
    -> Bool
  {
    let job = LineWaiter(deliver: job, sender: CurrentThread.id, cause: .current)
    let admission = withLine { line in
      line.admit(to: self, from: job.sender, evenIfClosed: !closing, closing: closing) { waiting, taken in
        (taken?.pointee.items.pointer ?? waiting.items.pointer).pointee.addJob(job)
        if isDropping { line.beginDropping() }
      }
    }
    if admission == .entered { drain() }
    return admission != .refused
  }

  /// Adds a job to the line, for the owner.
  ///
  /// - Returns: `false` if there is no owner.
  @usableFromInline
  final func putInLine(_ job: @escaping Delivery) -> Bool {
    let job = LineWaiter(deliver: job, sender: CurrentThread.id, cause: .current)
    return withLine { line in
      line.waiting.value.withLock { waiting in
        guard detainOwner() else { return false }
        waiting.items.value.addJob(job)
        return true
      }
    }
  }

  // MARK: Owning a queue that has a line

  /// Gives up a queue whose line has turned out to be empty. The caller holds the line's lock.
  @usableFromInline
  final func leaveEmptyLine() {
    forgetOwner()
    word.bitwiseAnd(~(Self.owned | Self.waiting), ordering: .releasing)
  }

  /// Takes an idle queue, or makes the owner look at the line before it leaves. The caller holds the line's lock.
  @usableFromInline
  final func occupy(evenIfClosed: Bool, closing: Bool) -> Admission {
    var current = word.load(ordering: .relaxed)
    var attempt = 0
    while true {
      if current & Self.closed != 0, !evenIfClosed { return .refused }
      let isOwned = current & Self.owned != 0
      if current & Self.maintained != 0 {
        CurrentThread.pause(attempt)
        attempt += 1
        current = word.load(ordering: .relaxed)
        continue
      }
      // The owner of a queue with a line cannot leave without the lock, so there is nothing to change. An exchange
      // would only take the cache line away from the processor that delivers.
      if isOwned, current & Self.waiting != 0, !closing { return .queued }
      let (exchanged, original) = word.compareExchange(
        expected: current,
        desired: current | (isOwned ? Self.waiting : Self.owned) | (closing ? Self.closed : 0),
        ordering: .acquiringAndReleasing
      )
      if exchanged {
        if isOwned { return .queued }
        noteOwner()
        return .entered
      }
      current = original
    }
  }

  /// Makes the owner look at the line before it leaves. The caller holds the line's lock.
  ///
  /// - Returns: `false` if there is no owner, and none is going to come.
  @usableFromInline
  final func detainOwner() -> Bool {
    var current = word.load(ordering: .relaxed)
    while current & (Self.owned | Self.waiting) == Self.owned {
      let desired = current | Self.waiting
      let (exchanged, original) = word.compareExchange(
        expected: current,
        desired: desired,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return true }
      current = original
    }
    return current & Self.waiting != 0
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
  final var presentLine: Unmanaged<DeliveryLine>? {
    @inline(__always) get { line.load(ordering: .acquiring).map { .fromOpaque($0.toOpaque()) } }
  }
}
