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
