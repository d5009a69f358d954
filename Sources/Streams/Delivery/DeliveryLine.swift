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
/// A line with a bound counts what the owner has taken, too. So its owner takes each item out under the lock.
///
/// Each of the two is on cache lines of its own, so that a thread that adds an item does not slow down the one that
/// delivers.
final class DeliveryLine: Sendable {
  /// What the lock protects.
  struct Waiting: ~Copyable, Sendable {
    /// In memory of its own, so that it is exchanged as an address.
    var items: CachePadded<SlotQueue>
    var droppedCount = 0
    /// The number of values that the bound has dropped when the owner had taken them: it drops the next ones that it
    /// comes to.
    var doomedCount = 0
    var helper = LineHelper()
    /// What is to be reported.
    var alarm: LineAlarm?
    /// The number of values at which the growth of the line is reported the next time.
    var nextGrowth = LineAlarm.firstCount
    /// The thread that has put something in line last, or has taken it.
    var lastThread = CurrentThread.none

    /// Notes that a thread waits for the owner, and how urgent that is.
    ///
    /// To ask for a priority takes a quarter of the time in which something is put in line. So a thread is asked when
    /// another one has put something in line before it.
    mutating func noteSender(_ thread: UInt) {
      if thread == lastThread { return }
      lastThread = thread
      helper.wait()
    }
  }

  /// What the owner has taken and not delivered yet.
  struct Taken: ~Copyable {
    /// As in ``Waiting``.
    var items: CachePadded<SlotQueue>
    /// The number of items, for other threads to read.
    let count = Atomic<Int>(0)
    /// The number of items that were taken at once the last time.
    var batch = 0
    /// Whether values that wait are dropped instead of delivered, because the queue ends; any thread may set it.
    let isDropping = Atomic<Bool>(false)

    init(_ layout: SlotLayout) {
      items = CachePadded(SlotQueue(layout))
    }

    mutating func noteCount() { count.store(items.value.count, ordering: .relaxed) }
  }

  private let policy: BufferingPolicy
  let waiting: CachePadded<Lock<Waiting>>
  /// Only the owner of the queue touches it, but for what is atomic. With a bound it is touched under the lock only.
  private let padded: CachePadded<Taken>

  init(of values: ValueOperations, keeping policy: BufferingPolicy) {
    let layout = SlotLayout(size: values.size, alignment: values.alignment)
    self.policy = policy
    waiting = CachePadded(Lock(Waiting(items: CachePadded(SlotQueue(layout)))))
    padded = CachePadded(Taken(layout))
  }

  /// What the owner has taken. It is an address, because the thread sanitizer takes a change of a property in place for
  /// one that other threads' reads of the property race with.
  var taken: UnsafeMutablePointer<Taken> {
    @inline(__always) get { padded.pointer }
  }

  /// The number of items that wait.
  var count: Int {
    waiting.value.withLock { waiting in
      waiting.items.value.count + taken.pointee.count.load(ordering: .relaxed) - waiting.doomedCount
    }
  }

  var droppedCount: Int { waiting.value.withLock { $0.droppedCount } }

  // MARK: Adding, under the lock

  /// Adds a value, unless the bound refuses it. The caller fills the slot.
  ///
  /// - Parameter drop: moves out a value that has to go for it, to be released when the lock is free.
  func addValue(
    _ waiter: LineWaiter,
    to waiting: inout Waiting,
    dropping drop: (UnsafeMutableRawPointer) -> Void
  ) -> LineSlot? {
    if policy != .unbounded, !makeRoom(&waiting, drop) { return nil }
    let slot = waiting.items.value.append(waiter)
    if waiting.items.value.valueCount >= waiting.nextGrowth {
      waiting.alarm = .grown(waiting.items.value.valueCount)
      waiting.nextGrowth *= 2
    }
    return slot
  }

  /// Drops the oldest value if there is no room for one more, and counts it.
  ///
  /// - Returns: `false` if the new one is to be dropped instead.
  @inline(never)
  private func makeRoom(_ waiting: inout Waiting, _ drop: (UnsafeMutableRawPointer) -> Void) -> Bool {
    let takenCount = taken.pointee.items.value.valueCount - waiting.doomedCount
    if takenCount + waiting.items.value.valueCount < policy.limit { return true }
    waiting.droppedCount += 1
    guard case .newest = policy, policy.limit > 0 else {
      if LineAlarm.isReported(waiting.droppedCount) { waiting.alarm = .refused(waiting.droppedCount) }
      return false
    }
    if takenCount > 0 {
      waiting.doomedCount += 1
      return true
    }
    while let slot = waiting.items.value.removeFirst() {
      if slot.waiter.pointee.isValue {
        slot.waiter.deinitialize(count: 1)
        drop(slot.value)
        return true
      }
      // A job that stands before the value is behind all that the owner has taken and will deliver.
      taken.pointee.items.value.append(slot.waiter.move())
      taken.pointee.noteCount()
    }
    return true
  }

  /// Drops the values that wait, from now on: the owner takes them out and does not deliver them.
  func beginDropping() { taken.pointee.isDropping.store(true, ordering: .relaxed) }

  // MARK: Taking, by the owner

  /// Takes everything that waits, if nothing of what was taken before is left. The owner calls it under the lock.
  ///
  /// - Returns: `false` if nothing is left, and nothing waits.
  func take(_ waiting: inout Waiting, on thread: UInt) -> Bool {
    let taken = taken
    if taken.pointee.items.value.count > 0 { return true }
    guard waiting.items.value.count > 0 else { return false }
    waiting.lastThread = thread
    taken.pointee.items.value.rewind()
    swap(&waiting.items, &taken.pointee.items)
    taken.pointee.batch = taken.pointee.items.value.count
    taken.pointee.noteCount()
    return true
  }

  /// Whether nothing is left of what the owner has taken.
  var hasDeliveredTaken: Bool { taken.pointee.count.load(ordering: .relaxed) == 0 }

  /// Whether few items were taken at once the last time.
  var tookFew: Bool { taken.pointee.batch < 16 }

  /// The next of the items that were taken, and whether it is a value that is dropped.
  func popTaken() -> (slot: LineSlot, isDropped: Bool)? {
    let isDropping = taken.pointee.isDropping.load(ordering: .relaxed)
    guard isDropping || policy != .unbounded else { return removeTaken().map { ($0, false) } }
    var slot: LineSlot?
    let isDropped = waiting.value.withLock { waiting in
      slot = removeTaken()
      guard slot?.waiter.pointee.isValue == true else { return false }
      if waiting.doomedCount > 0 {
        waiting.doomedCount -= 1
        return true
      }
      if isDropping { waiting.droppedCount += 1 }
      return isDropping
    }
    return slot.map { ($0, isDropped) }
  }

  private func removeTaken() -> LineSlot? {
    let slot = taken.pointee.items.value.removeFirst()
    taken.pointee.noteCount()
    return slot
  }
}
