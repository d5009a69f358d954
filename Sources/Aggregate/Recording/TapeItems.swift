import Streams

/// The newest events of a tape, in a ring of fixed size: a full ring takes a new event in the place of the oldest.
///
/// ```
///            head
///             ▼
///   [ 45  46  41  42  43  44 ]
/// ```
///
/// The tape that owns the ring gives its memory back, by ``deallocate()``.
///
/// Safe to share: as the tape.
///
/// Invariants: the first `count` slots from `head` on, around the end, are initialized, and no others. `head` is 0
/// until the ring is full.
@usableFromInline
package struct TapeItems<Event: Sendable>: @unchecked Sendable {
  @usableFromInline
  package struct Item: Sendable {
    @usableFromInline package let event: Event
    @usableFromInline package let cause: Cause
    /// Nanoseconds since the origin of the clock.
    @usableFromInline package let time: Int64

    @inlinable
    init(event: Event, cause: Cause, time: Int64) {
      self.event = event
      self.cause = cause
      self.time = time
    }
  }

  @usableFromInline let slots: UnsafeMutablePointer<Item>
  @usableFromInline let capacity: Int
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  func deallocate() {
    assert(count == capacity || head == 0, "A ring that was never full has turned.")
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  @inlinable var isFull: Bool { count == capacity }

  /// The event that the next one takes the place of, if the ring is full.
  @inlinable var oldest: Event? { isFull ? slots[head].event : nil }

  /// Appends an item.
  ///
  /// - Returns: the item that it has replaced; `nil` if there was room.
  @inlinable
  @inline(__always)
  mutating func append(_ item: consuming Item) -> Item? {
    guard isFull else {
      (slots + count).initialize(to: item)
      count += 1
      return nil
    }
    let slot = slots + head
    let oldest = slot.move()
    slot.initialize(to: item)
    head = head + 1 == capacity ? 0 : head + 1
    return oldest
  }

  /// The items, the oldest first.
  var elements: [Item] { (0..<count).map { slot(at: $0).pointee } }

  /// The slot of an item.
  ///
  /// - Parameter place: its place, from 0 for the oldest one.
  @inline(__always)
  func slot(at place: Int) -> UnsafeMutablePointer<Item> {
    let index = head + place
    return slots + (index < capacity ? index : index - capacity)
  }

  /// Makes room for this many items, if there is less.
  ///
  /// - Parameter isNew: whether the items that are there are given up.
  /// - Returns: the ring that was replaced, to be deallocated when other threads may read again.
  mutating func reserve(_ count: Int, asNew isNew: Bool) -> TapeItems? {
    // More would be a mistake for which there is no memory.
    let wanted = max(min(count, 1 << 24), capacity)
    guard isNew || wanted > capacity else { return nil }
    let replaced = self
    self = TapeItems(capacity: wanted)
    if !isNew {
      for item in replaced.elements { _ = append(item) }
    }
    return replaced
  }
}
