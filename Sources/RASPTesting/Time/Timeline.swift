/// The actions of a ``VirtualScheduler``: a binary heap by instant and order of scheduling, from which a cancelled
/// action is dropped when it reaches the top.
///
/// The actions stand in slots that are used again, so that neither scheduling nor running has to look anything up.
///
/// Invariants: `count` is the number of actions; each of them has one entry in the heap.
struct Timeline: Sendable {
  /// One action that was scheduled.
  struct Key: Hashable, Sendable {
    /// Rises with each action.
    let order: Int
    let slot: Int
  }

  /// An action. It is a structure because a function is wrapped in another one where a generic type holds or returns
  /// it.
  struct Action: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }

    func callAsFunction() { run() }
  }

  private struct Entry: Sendable {
    let due: Duration
    let key: Key

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due == rhs.due ? lhs.key.order < rhs.key.order : lhs.due < rhs.due
    }
  }

  private struct Slot: Sendable {
    /// The order of the action that uses the slot, or used it last.
    var order: Int
    var action: Action?
  }

  var now = Duration.zero
  private var heap: ContiguousArray<Entry> = []
  private var slots: ContiguousArray<Slot> = []
  private var freeSlots: ContiguousArray<Int> = []
  private var count = 0
  private var lastOrder = 0

  var isEmpty: Bool { count == 0 }

  /// The size of the heap, with what was cancelled and is still in it.
  var entryCount: Int { heap.count }

  var pending: [Duration] {
    heap.filter { isScheduled($0.key) }.sorted(by: <).map(\.due)
  }

  mutating func insert(_ action: @escaping @Sendable () -> Void, at instant: Duration) -> Key {
    lastOrder += 1
    let slot = Slot(order: lastOrder, action: Action(action))
    let key: Key
    if let free = freeSlots.popLast() {
      assert(slots[free].action == nil, "A slot of the timeline is used twice.")
      slots[free] = slot
      key = Key(order: lastOrder, slot: free)
    } else {
      key = Key(order: lastOrder, slot: slots.count)
      slots.append(slot)
    }
    count += 1
    heap.append(Entry(due: max(instant, now), key: key))
    siftUp(heap.count - 1)
    return key
  }

  /// Takes out an action, for the caller to release.
  mutating func cancel(_ key: Key) -> Action? {
    let action = take(key)
    // Cancelled entries would otherwise pile up at instants that are never reached.
    if heap.count > 64, heap.count > count * 2 { sweep() }
    return action
  }

  /// Takes out the next action that is due, and moves to its instant.
  mutating func next(until limit: Duration?) -> Action? {
    while let first = heap.first {
      if let limit, first.due > max(limit, now), isScheduled(first.key) { return nil }
      removeFirst()
      if let action = take(first.key) {
        now = max(now, first.due)
        return action
      }
    }
    return nil
  }

  /// Takes out the next action that is due and moves to its instant, or to `instant` if nothing is due before.
  mutating func next(movingTo instant: Duration) -> Action? {
    if let action = next(until: instant) { return action }
    now = max(now, instant)
    return nil
  }

  private func isScheduled(_ key: Key) -> Bool {
    slots.indices.contains(key.slot) && slots[key.slot].order == key.order && slots[key.slot].action != nil
  }

  private mutating func take(_ key: Key) -> Action? {
    guard isScheduled(key) else { return nil }
    let action = slots[key.slot].action.take()
    count -= 1
    freeSlots.append(key.slot)
    if count == 0, slots.count > 1_024 {
      // What a burst has left.
      slots = []
      freeSlots = []
    }
    return action
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func sweep() {
    heap = heap.filter { isScheduled($0.key) }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
  }

  private mutating func siftUp(_ index: Int) {
    var child = index
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ index: Int) {
    var parent = index
    while true {
      let left = parent * 2 + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
