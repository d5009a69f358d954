import RASPPrimitives
import Synchronization

/// The values and jobs that wait for the owner of a ``DeliveryQueue``.
///
/// ```
///   senders ──lock──▶ waiting  [ e  f  g ]
///                        │  exchanged, when `taken` is empty
///                        ▼
///   owner ◀───────────  taken  [ b  c  d ]
/// ```
///
/// The owner takes everything that waits in one step, so it takes the lock that the senders need once for many items.
/// With a bound it takes one item at a time, so that the bound counts all that waits.
///
/// It does not depend on the type of the values: each item brings the code along that delivers it, see
/// ``QueueOwnership/Delivery``. That code was made where the item was sent, and the type of the values is known there.
///
/// Each of the two is on cache lines of its own, so that a thread that adds an item does not slow down the one that
/// delivers.
@usableFromInline
final class DeliveryLine: Sendable {
  /// What the lock protects.
  struct Waiting: ~Copyable, Sendable {
    /// In memory of its own, so that it is exchanged as an address.
    var items = CachePadded(WaitingItems())
    var droppedCount = 0
    var helper = LineHelper()
    /// The number of values at which the growth of the line is reported the next time; its complement while the bound
    /// has refused a value that is to be reported.
    var alarm = LineAlarm.firstCount
    /// The thread that has put something in line last, or has taken it.
    var lastThread = CurrentThread.none

    /// Makes room for a value, or counts it as dropped. A bound counts values only: jobs are never dropped.
    ///
    /// - Returns: the slot of the oldest value, if that has to go, and whether there is no room.
    @inline(__always)
    mutating func makeRoom(_ policy: BufferingPolicy) -> (oldest: LineSlot?, isFull: Bool) {
      let limit: Int
      switch policy {
      case .unbounded: return (nil, false)
      case .newest(let count), .oldest(let count): limit = max(0, count)
      }
      guard items.value.valueCount >= limit else { return (nil, false) }
      droppedCount += 1
      guard case .newest = policy, items.value.valueCount > 0 else {
        if LineAlarm.isReported(droppedCount), alarm >= 0, case .oldest = policy { alarm = ~alarm }
        return (nil, true)
      }
      return (items.value.removeFirstValue(), false)
    }

    /// What is to be reported. It is asked when as many values wait as `alarm` says.
    @inline(never)
    mutating func takeAlarm() -> LineAlarm? {
      if alarm < 0 {
        alarm = ~alarm
        return .refused(droppedCount)
      }
      alarm *= 2
      return .grown(items.value.valueCount)
    }

    /// Notes that a thread waits for the owner, and how urgent that is.
    ///
    /// To ask for a priority takes a quarter of the time in which something is put in line. So a thread is asked when
    /// another one has put something in line before it.
    @inline(__always)
    mutating func noteSender(_ thread: UInt) {
      if thread == lastThread { return }
      lastThread = thread
      helper.wait()
    }
  }

  /// What the owner has taken and not delivered yet.
  struct Taken: ~Copyable {
    /// As in ``Waiting``.
    var items = CachePadded(WaitingItems())
    /// The number of items, for other threads to read.
    let count = Atomic<Int>(0)
    /// The number of items that were taken at once the last time.
    var batch = 0
    /// Whether values that wait are dropped instead of delivered, because the queue ends; any thread may set it.
    let isDropping = Atomic<Bool>(false)

    mutating func noteCount() { count.store(items.value.count, ordering: .relaxed) }
  }

  let policy: BufferingPolicy
  let waiting: CachePadded<Lock<Waiting>>
  /// Only the owner of the queue touches it, but for the count, which is atomic.
  private let padded: CachePadded<Taken>

  init(keeping policy: BufferingPolicy) {
    self.policy = policy
    waiting = CachePadded(Lock(Waiting()))
    padded = CachePadded(Taken())
  }

  /// What the owner has taken. It is an address, because the thread sanitizer takes a change of a property in place for
  /// one that other threads' reads of the property race with.
  var taken: UnsafeMutablePointer<Taken> {
    @inline(__always) get { padded.pointer }
  }

  /// The number of items that wait.
  var count: Int { waiting.value.withLock { $0.items.value.count } + taken.pointee.count.load(ordering: .relaxed) }

  var droppedCount: Int { waiting.value.withLock { $0.droppedCount } }

  /// Lets `add` add something for the owner; the caller becomes the owner if there is none.
  ///
  /// - Parameter add: gets what waits; and what the owner has taken if the caller is the owner now. Then it adds to
  ///   that, because it is to be delivered at once, and the bound of the line does not count.
  /// - Returns: what became of it.
  @inline(__always)
  func admit(
    to queue: QueueOwnership,
    from thread: UInt,
    evenIfClosed: Bool,
    closing: Bool,
    _ add: (inout Waiting, UnsafeMutablePointer<Taken>?) -> Void
  ) -> QueueOwnership.Admission {
    var alarm: LineAlarm?
    let admission = waiting.value.withLock { waiting -> QueueOwnership.Admission in
      let admission = queue.occupy(evenIfClosed: evenIfClosed, closing: closing)
      switch admission {
      case .refused: break
      case .queued:
        add(&waiting, nil)
        waiting.noteSender(thread)
        if waiting.items.value.valueCount >= waiting.alarm { alarm = waiting.takeAlarm() }
      case .entered where waiting.items.value.count > 0 || taken.pointee.items.value.count > 0:
        // The line was handed over, and the caller goes on with it: what it adds is the last.
        add(&waiting, nil)
      case .entered:
        add(&waiting, taken)
        taken.pointee.noteCount()
      }
      return admission
    }
    if let alarm { queue.raise(alarm) }
    return admission
  }

  /// Takes everything that waits; with a bound, one item. The owner calls it under the lock, when nothing of what it
  /// took before is left.
  @inline(__always)
  func take(_ waiting: inout Waiting, for queue: QueueOwnership, on thread: UInt) {
    let taken = taken
    waiting.lastThread = thread
    assert(taken.pointee.items.value.count == 0, "The line was taken again before its end.")
    if policy == .unbounded {
      swap(&waiting.items, &taken.pointee.items)
    } else {
      waiting.items.value.moveFirst(to: &taken.pointee.items.value, queue)
    }
    taken.pointee.batch = taken.pointee.items.value.count
    taken.pointee.count.store(taken.pointee.batch, ordering: .relaxed)
  }

  /// Drops the values that wait, from now on: the owner takes them out and does not deliver them.
  func beginDropping() { taken.pointee.isDropping.store(true, ordering: .relaxed) }

  /// Whether nothing is left of what the owner has taken. Only the owner asks.
  var hasDeliveredTaken: Bool { taken.pointee.items.value.count == 0 }

  /// Whether few items were taken at once the last time.
  var tookFew: Bool { taken.pointee.batch < 16 }

  /// The next of the items that were taken, for the owner of a queue.
  @inline(__always)
  func popTaken(for queue: QueueOwnership) -> LineSlot? {
    if taken.pointee.isDropping.load(ordering: .relaxed) { dropTakenValues(of: queue) }
    guard let slot = taken.pointee.items.value.removeFirst() else { return nil }
    taken.pointee.noteCount()
    return slot
  }

  /// Drops the values that were taken, up to the next job.
  @inline(never)
  private func dropTakenValues(of queue: QueueOwnership) {
    let taken = taken
    var count = 0
    while taken.pointee.items.value.isValueNext, let slot = taken.pointee.items.value.removeFirst() {
      slot.waiter.move().deliver(queue, slot.value, slot.value)
      count += 1
    }
    taken.pointee.noteCount()
    waiting.value.withLock { $0.droppedCount += count }
  }
}

/// Values and jobs in the order in which they were added.
///
/// They stand in two lists, so that the oldest value is found at once, whatever jobs stand before it. A job remembers
/// how many values were added before it: its turn comes when that many have gone, whether they were delivered or
/// dropped.
struct WaitingItems: ~Copyable, Sendable {
  private var values = SlotQueue()
  private var jobs = SlotQueue()

  var count: Int { values.count &+ jobs.count }

  var valueCount: Int { values.count }

  /// Adds a value; the caller fills the slot.
  mutating func addValue(_ layout: SlotLayout) -> LineSlot { values.append(layout) }

  /// Takes out the oldest value, whose slot the caller empties.
  mutating func removeFirstValue() -> LineSlot { values.removeFirst() }

  mutating func addJob(_ job: LineWaiter) {
    let slot = jobs.append(SlotLayout(of: Int.self))
    slot.waiter.initialize(to: job)
    slot.value.initializeMemory(as: Int.self, to: values.added)
  }

  /// Takes out what comes next; the caller empties its slot.
  @inline(__always)
  mutating func removeFirst() -> LineSlot? {
    if jobs.count > 0, isJobNext { return jobs.removeFirst() }
    return values.count > 0 ? values.removeFirst() : nil
  }

  /// Whether what comes next is a value.
  var isValueNext: Bool {
    mutating get { values.count > 0 && !(jobs.count > 0 && isJobNext) }
  }

  /// Moves what comes next behind all that is in other lists.
  mutating func moveFirst(to others: inout WaitingItems, _ queue: QueueOwnership) {
    if isJobNext { return others.addJob(jobs.removeFirst().waiter.move()) }
    guard values.count > 0 else { return }
    let slot = values.removeFirst()
    let place = others.values.append(values.layout)
    place.waiter.moveInitialize(from: slot.waiter, count: 1)
    place.waiter.pointee.deliver(queue, slot.value, place.value)
  }

  private var isJobNext: Bool {
    @inline(never) mutating get {
      guard let first = jobs.first else { return false }
      return first.value.load(as: Int.self) &- values.removed <= 0
    }
  }
}
