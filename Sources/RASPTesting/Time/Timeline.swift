/// The actions of a ``VirtualScheduler``: a binary heap by instant and order of scheduling, from which a cancelled
/// action is dropped when it reaches the top.
struct Timeline: Sendable {
  typealias Action = @Sendable () -> Void

  private struct Entry: Sendable {
    let due: Duration
    let key: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due == rhs.due ? lhs.key < rhs.key : lhs.due < rhs.due
    }
  }

  var now = Duration.zero
  private var heap: [Entry] = []
  private var actions: [Int: Action] = [:]
  private var lastKey = 0

  var isEmpty: Bool { actions.isEmpty }

  /// The size of the heap, with what was cancelled and is still in it.
  var entryCount: Int { heap.count }

  var pending: [Duration] {
    heap.filter { actions[$0.key] != nil }.sorted(by: <).map(\.due)
  }

  mutating func insert(_ action: @escaping Action, at instant: Duration) -> Int {
    lastKey += 1
    actions[lastKey] = action
    heap.append(Entry(due: max(instant, now), key: lastKey))
    siftUp(heap.count - 1)
    return lastKey
  }

  /// Takes out an action, for the caller to release.
  mutating func cancel(_ key: Int) -> Action? {
    let action = actions.removeValue(forKey: key)
    // Cancelled entries would otherwise pile up at instants that are never reached.
    if heap.count > 64, heap.count > actions.count * 2 { sweep() }
    return action
  }

  /// Takes out the next action that is due, and moves to its instant.
  mutating func next(until limit: Duration?) -> Action? {
    while let first = heap.first {
      if let limit, first.due > max(limit, now), actions[first.key] != nil { return nil }
      removeFirst()
      if let action = actions.removeValue(forKey: first.key) {
        now = max(now, first.due)
        return action
      }
    }
    return nil
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func sweep() {
    heap = heap.filter { actions[$0.key] != nil }
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
