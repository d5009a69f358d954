import Streams

/// One thing that happened, as it stands on a tape.
@usableFromInline
package struct TapeItem<Event: Sendable>: Sendable {
  /// Its number in the lane of the tape.
  @usableFromInline package let number: Int64
  @usableFromInline package let cause: Cause
  /// Nanoseconds since the origin of the clock.
  @usableFromInline package let time: Int64
  @usableFromInline package var event: Event

  @inlinable
  package init(_ event: Event, number: Int64, cause: Cause, time: Int64) {
    self.number = number
    self.cause = cause
    self.time = time
    self.event = event
  }
}

/// The newest items of a tape, in a ring of fixed size: a full ring takes a new item in the place of the oldest.
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
package struct TapeRing<Event: Sendable>: @unchecked Sendable {
  @usableFromInline package typealias Item = TapeItem<Event>

  @usableFromInline package let slots: UnsafeMutablePointer<Item>
  @usableFromInline package let capacity: Int
  @usableFromInline package internal(set) var head = 0
  @usableFromInline package internal(set) var count = 0

  package init(capacity: Int) {
    self.capacity = capacity
    // A ring without room has no memory. Its address is not used.
    slots = capacity == 0 ? UnsafeMutablePointer(bitPattern: -1).unsafelyUnwrapped : .allocate(capacity: capacity)
  }

  package func deallocate() {
    assert(count == capacity || head == 0, "A ring that was never full has turned.")
    slots.deinitialize(count: count)
    if capacity > 0 { slots.deallocate() }
  }

  @inlinable package var isFull: Bool { count == capacity }

  /// The slot of the item that the next one takes the place of; `nil` if there is room. The ring has room for one item
  /// at least.
  @inlinable
  package var oldest: UnsafeMutablePointer<Item>? {
    @inline(__always) get {
      assert(capacity > 0, "A ring without room has no oldest item.")
      return isFull ? slots + head : nil
    }
  }

  /// Appends an item.
  ///
  /// - Returns: the item that it has replaced; `nil` if there was room.
  @inlinable
  @inline(__always)
  package mutating func append(_ item: consuming Item) -> Item? {
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
  package var elements: [Item] {
    var elements: [Item] = []
    elements.reserveCapacity(count)
    elements += UnsafeMutableBufferPointer(start: slots + head, count: count - head)
    elements += UnsafeMutableBufferPointer(start: slots, count: head)
    return elements
  }

  /// Makes room for this many items, if there is less.
  ///
  /// - Parameter isNew: whether the items that are there are given up.
  /// - Returns: the ring that was replaced, to be deallocated when other threads may read again.
  package mutating func reserve(_ count: Int, asNew isNew: Bool) -> TapeRing? {
    // More would be a mistake for which there is no memory.
    let wanted = max(min(count, 1 << 24), capacity)
    guard isNew || wanted > capacity else { return nil }
    let replaced = self
    self = TapeRing(capacity: wanted)
    if !isNew {
      for item in replaced.elements { _ = append(item) }
    }
    return replaced
  }
}
