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
/// The storage of both sides is used again; if it has become very large, it is released when nothing waits any more.
///
/// Safe to share: `waiting` is behind its lock, and `taken` belongs to the owner. Each is on cache lines of its own, so
/// that a thread that adds an item does not slow down the one that delivers.
@usableFromInline
final class DeliveryLine<Shell: DeliveryShell & ~Copyable>: Sendable {
  /// A value, or a job that must run between two values.
  @usableFromInline
  enum Work: Sendable {
    case value(Shell.Value)
    case job(Shell.Job)
  }

  @usableFromInline
  struct Item: Sendable {
    @usableFromInline let work: Work
    /// The thread that added it to the line.
    @usableFromInline let sender: UInt
    /// What brought it about.
    @usableFromInline let cause: CarriedCause

    @inlinable
    init(_ work: Work) {
      self.work = work
      sender = CurrentThread.id
      cause = .current
    }

    @inlinable
    var isJob: Bool {
      if case .job = work { true } else { false }
    }
  }

  /// The fate of an item, and of the one that it replaced.
  @usableFromInline
  enum Arrival: Sendable {
    case kept
    case replaced(Item)
    case dropped
  }

  @usableFromInline
  struct Waiting: Sendable {
    @usableFromInline var items = RingBuffer<Item>()
    /// The number of items that are values.
    @usableFromInline var valueCount = 0
    @usableFromInline var droppedCount = 0

    @usableFromInline init() {}

    /// Appends an item. A bound counts values only: jobs are never dropped.
    @inlinable
    mutating func append(_ item: Item, keeping policy: BufferingPolicy) -> Arrival {
      let isFull =
        switch policy {
        case .unbounded: false
        case .newest(let limit), .oldest(let limit): valueCount >= max(0, limit)
        }
      guard isFull, !item.isJob else {
        items.append(item)
        if !item.isJob { valueCount += 1 }
        return .kept
      }
      droppedCount += 1
      guard case .newest = policy, let oldest = items.removeFirst(where: { !$0.isJob }) else { return .dropped }
      items.append(item)
      return .replaced(oldest)
    }
  }

  /// What the owner has taken and not delivered yet.
  @usableFromInline
  struct Taken: ~Copyable {
    @usableFromInline var items = RingBuffer<Item>()
    /// The number of items, for other threads to read.
    @usableFromInline let count = Atomic<Int>(0)
    /// The number of items that were taken at once the last time.
    @usableFromInline var batch = 0

    @usableFromInline init() {}

    @inlinable
    func noteCount() { count.store(items.count, ordering: .relaxed) }
  }

  @usableFromInline let policy: BufferingPolicy
  @usableFromInline let waiting = CachePadded(Lock(Waiting()))
  @usableFromInline let taken = QueueIsolated(padded: Taken())
  /// What the deliveries have left to be done when the queue is free, while the line is handed over.
  @usableFromInline let followUps = QueueIsolated<[@Sendable () -> Void]>([])

  @usableFromInline
  init(keeping policy: BufferingPolicy) {
    self.policy = policy
  }

  /// The number of items that wait.
  var count: Int { waiting.value.withLock(\.items.count) + taken.pointer.pointee.count.load(ordering: .relaxed) }

  /// Takes everything that waits; with a bound, one item, so that the bound counts all that waits. The owner calls it under
  /// the lock, when nothing of what it took before is left.
  @inlinable
  func take(_ waiting: inout Waiting, _ access: QueueAccess) {
    assert(taken[access].items.isEmpty, "The line was taken again before its end.")
    if policy == .unbounded {
      swap(&waiting.items, &taken[access].items)
      waiting.valueCount = 0
    } else if let first = waiting.items.popFirst() {
      if !first.isJob { waiting.valueCount -= 1 }
      taken[access].items.append(first)
    }
    taken[access].noteCount()
    taken[access].batch = taken[access].items.count
  }

  /// Returns whether few items were taken at once the last time.
  @inlinable
  func tookFew(_ access: QueueAccess) -> Bool { taken[access].batch < 16 }

  /// The next of the items that were taken.
  @inlinable
  func popTaken(_ access: QueueAccess) -> Item? {
    guard let item = taken[access].items.popFirst() else { return nil }
    taken[access].noteCount()
    return item
  }

  /// Takes out storage that has become very large, to be released after unlocking. Under the lock, when the line has come to
  /// its end: while there is more to come, large storage is used again.
  @inlinable
  func takeLargeStorage(_ waiting: inout Waiting, _ access: QueueAccess) -> [RingBuffer<Item>] {
    assert(waiting.items.isEmpty && taken[access].items.isEmpty, "The storage of a line was taken before its end.")
    let limit = 1024
    guard max(waiting.items.capacity, taken[access].items.capacity) > limit else { return [] }
    let large = [waiting.items, taken[access].items]
    waiting.items = RingBuffer()
    taken[access].items = RingBuffer()
    return large
  }
}
