/// The rows of a shard by the age of their last event: a list that is threaded through their places. An event moves its
/// row to the new end, and the row that is given up first is at the old one. Nothing is ever walked through or sorted.
///
/// ```
///   places       0      1      2      3
///   rows        "b"    "a"    "c"    "d"
///   list    oldest ──▶ 1 ──▶ 2 ──▶ 0 ◀── newest        3 is out: "d" has subscribers of its own
///   back                                               rows that came back in, the oldest on top
/// ```
///
/// A row that may not go is out. One that may go again is as old as its last event: often older than the newest ones,
/// and newer than the oldest ones. It then waits in a heap for its next event, beside the list.
///
/// Invariants: the numbers of the events rise along the list; a row is in the list, or in the heap, or out; each row in
/// the heap knows its index there.
///
/// It belongs to the owner of the shard's queue, and does not depend on the types of keys and rows.
@usableFromInline
struct RowAges: ~Copyable {
  @usableFromInline
  struct Age {
    /// The number of the last event of the row.
    var stamp: UInt64 = 0
    /// In the list, the neighbours; in the heap, `older` is the index there.
    var older = RowAges.none
    var newer = RowAges.out
  }

  private static var none: UInt32 { .max }
  private static var out: UInt32 { .max - 1 }
  private static var inHeap: UInt32 { .max - 2 }

  /// One for each place.
  @usableFromInline private(set) var ages: UnsafeMutablePointer<Age>
  private var capacity = 0
  private var oldest = Self.none
  private var newest = Self.none
  /// The places of rows that have come back, with the oldest one on top.
  private var heap: [UInt32] = []
  /// The number of the last event.
  private(set) var lastStamp: UInt64 = 0

  init() {
    ages = .allocate(capacity: 0)
  }

  // A deinit that is not inlinable crashes the optimiser where this is a property that other modules see.
  @inlinable
  deinit {
    ages.deallocate()
  }

  /// Notes an event of a row. If it is in, it is the newest from now on.
  ///
  /// - Complexity: O(1); O(log rows that came back) if it is one of those.
  @usableFromInline
  mutating func touch(_ place: UInt32) {
    lastStamp += 1
    if place >= capacity { grow(beyond: place) }
    ages[Int(place)].stamp = lastStamp
    if place == newest || ages[Int(place)].newer == Self.out { return }
    leave(place)
    append(place)
  }

  /// Lets a row in that may go from now on. Rows that are in stay where they are.
  ///
  /// - Complexity: O(1) for the newest and for the oldest row of all; otherwise O(log rows that came back).
  mutating func enter(_ place: UInt32) {
    if place >= capacity { grow(beyond: place) }
    guard ages[Int(place)].newer == Self.out else { return }
    let stamp = ages[Int(place)].stamp
    if newest == Self.none || ages[Int(newest)].stamp < stamp { return append(place) }
    if stamp < ages[Int(oldest)].stamp { return prepend(place) }
    heap.append(place)
    ages[Int(place)].newer = Self.inHeap
    rise(from: heap.count - 1)
  }

  /// Takes a row out that has gone, or that may not go.
  @usableFromInline
  mutating func leave(_ place: UInt32) {
    guard place < capacity else { return }
    let age = ages[Int(place)]
    switch age.newer {
    case Self.out: return
    case Self.inHeap: removeFromHeap(at: Int(age.older))
    default:
      if age.older == Self.none { oldest = age.newer } else { ages[Int(age.older)].newer = age.newer }
      if age.newer == Self.none { newest = age.older } else { ages[Int(age.newer)].older = age.older }
    }
    ages[Int(place)].newer = Self.out
  }

  /// The place of the row whose last event is the longest ago, and the number of that event; `nil` if none is in.
  var first: (place: UInt32, stamp: UInt64)? {
    guard let top = heap.first else { return oldest == Self.none ? nil : (oldest, ages[Int(oldest)].stamp) }
    let stamp = ages[Int(top)].stamp
    if oldest != Self.none, ages[Int(oldest)].stamp < stamp { return (oldest, ages[Int(oldest)].stamp) }
    return (top, stamp)
  }

  // MARK: The list

  private mutating func append(_ place: UInt32) {
    ages[Int(place)].older = newest
    ages[Int(place)].newer = Self.none
    if newest == Self.none { oldest = place } else { ages[Int(newest)].newer = place }
    newest = place
  }

  private mutating func prepend(_ place: UInt32) {
    ages[Int(place)].older = Self.none
    ages[Int(place)].newer = oldest
    ages[Int(oldest)].older = place
    oldest = place
  }

  private mutating func grow(beyond place: UInt32) {
    let larger = max(16, Int(place) + 1, capacity * 2)
    let grown = UnsafeMutablePointer<Age>.allocate(capacity: larger)
    grown.moveInitialize(from: ages, count: capacity)
    (grown + capacity).initialize(repeating: Age(), count: larger - capacity)
    ages.deallocate()
    ages = grown
    capacity = larger
  }

  // MARK: The heap

  private mutating func removeFromHeap(at index: Int) {
    let last = heap.removeLast()
    guard index < heap.count else { return }
    heap[index] = last
    ages[Int(last)].older = UInt32(index)
    rise(from: index)
    sink(from: Int(ages[Int(last)].older))
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, stamp(at: index) < stamp(at: (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      ages[Int(heap[index])].older = UInt32(index)
      index = (index - 1) / 2
    }
    ages[Int(heap[index])].older = UInt32(index)
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, stamp(at: child + 1) < stamp(at: child) { child += 1 }
      guard stamp(at: child) < stamp(at: index) else { return }
      heap.swapAt(index, child)
      ages[Int(heap[index])].older = UInt32(index)
      ages[Int(heap[child])].older = UInt32(child)
      index = child
    }
  }

  private func stamp(at index: Int) -> UInt64 { ages[Int(heap[index])].stamp }
}
