import Aggregate
import RASPSupport
import Streams
import Synchronization

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

  /// The item as an entry of a recording.
  package func entry<State: AggregateState>(of type: State.Type) -> Recording<State>.Entry
  where State.Event == Event {
    Recording.Entry(number: Int(clamping: number), event: event, cause: cause, time: .nanoseconds(time))
  }
}

/// A line of fixed length from the fold of one aggregator to one thread that takes the events away, such as the writer
/// of a journal.
///
/// ```
///   fold ──▶ [ 41  42  43  44  ·  ·  ·  · ] ──▶ thread
///             ▲ taken          ▲ put
/// ```
///
/// Putting an event into it takes no lock and allocates nothing.
///
/// Safe to share: the slots from `taken` to `put` belong to the thread that takes, the others to the owner of the
/// aggregator's queue, who puts. Each side moves its number when it has finished with the slots. Only the owner of the
/// queue uses `knownTaken`. What one side writes at each event or batch is on cache lines of its own: what both read
/// for each event would otherwise move between the processors for each event.
@usableFromInline
package final class TapeChannel<Event: Sendable>: Sendable {
  @usableFromInline package typealias Item = TapeItem<Event>

  /// What the thread that takes is doing.
  package enum ReaderState: UInt8, Sendable {
    /// It will look into the line by itself.
    case awake = 0
    /// It waits for a moment, so that there is more to take. It looks by itself then.
    case waiting = 1
    /// It waits until it is woken.
    case parked = 2
  }

  @usableFromInline let memory: SharedAddress<UnsafeMutablePointer<Item>>
  @usableFromInline let capacity: Int
  @usableFromInline let front = CachePadded(TapeFront())
  @usableFromInline let taken = CachePadded(Atomic<Int>(0))
  @usableFromInline let readerState = Atomic<UInt8>(0)
  @usableFromInline let isOpen = Atomic<Bool>(true)
  @usableFromInline let wake: @Sendable () -> Void
  @usableFromInline let awaitRoom: @Sendable () -> Bool
  private let stalls = Atomic<Int>(0)

  /// - Parameters:
  ///   - capacity: how many events fit in, rounded up to a power of two.
  ///   - wake: wakes the thread that takes.
  ///   - awaitRoom: is called by the fold as long as the line is full. It may wait. If it returns `false`, the line is
  ///     closed.
  package init(capacity: Int, wake: @escaping @Sendable () -> Void, awaitRoom: @escaping @Sendable () -> Bool) {
    var rounded = 1
    while rounded < min(max(capacity, 2), 1 << 24) { rounded *= 2 }
    self.capacity = rounded
    memory = SharedAddress(.allocate(capacity: rounded))
    self.wake = wake
    self.awaitRoom = awaitRoom
  }

  deinit {
    _ = take(.max) { _ in }
    slots.deallocate()
  }

  @inlinable
  var slots: UnsafeMutablePointer<Item> {
    @inline(__always) get { memory.pointer }
  }

  // MARK: The fold

  /// Makes room for one event.
  ///
  /// - Returns: `false` if the line is closed.
  @inlinable
  package func makeRoom(_ access: QueueAccess) -> Bool {
    let put = front.value.put.load(ordering: .relaxed)
    if put &- front.value.knownTaken >= capacity / 2, !awaitRoom(behind: put, access) { return false }
    return isOpen.load(ordering: .relaxed)
  }

  /// - Returns: `false` if the line is full and closed.
  @usableFromInline
  func awaitRoom(behind put: Int, _ access: QueueAccess) -> Bool {
    front.value.knownTaken = taken.value.load(ordering: .acquiring)
    let waiting = put &- front.value.knownTaken
    if waiting >= capacity / 2 { wakeUp() }
    guard waiting == capacity else { return true }
    guard isOpen.load(ordering: .acquiring) else { return false }
    stalls.add(1, ordering: .relaxed)
    while isOpen.load(ordering: .acquiring), taken.value.load(ordering: .acquiring) &+ capacity == put {
      if !awaitRoom() { close() }
    }
    front.value.knownTaken = taken.value.load(ordering: .acquiring)
    return front.value.knownTaken &+ capacity != put
  }

  /// Puts an event into the room that was made.
  @inlinable
  @inline(__always)
  package func append(_ item: Item) {
    let put = front.value.put.load(ordering: .relaxed)
    (slots + (put & (capacity - 1))).initialize(to: item)
    front.value.put.store(put &+ 1, ordering: .releasing)
  }

  /// Wakes the thread that takes, if nothing else will.
  @inlinable
  @inline(__always)
  package func wakeIfParked() {
    // Number 2 is `parked`. The thread looks again some time after it has said that it is parked, so it sees what was
    // put at that moment.
    if readerState.load(ordering: .relaxed) == 2 { wakeUp() }
  }

  /// Wakes the thread unless it is awake. It takes a while until the thread runs, and the events of that time do not
  /// wake it once more.
  @usableFromInline
  func wakeUp() {
    let awake = ReaderState.awake.rawValue
    if readerState.exchange(awake, ordering: .relaxed) != awake { wake() }
  }

  // MARK: The thread that takes

  /// How many events were put in so far.
  package var putCount: Int { front.value.put.load(ordering: .acquiring) }

  /// Is `true` if there is nothing to take.
  package var isEmpty: Bool { putCount == taken.value.load(ordering: .relaxed) }

  /// Takes events, in their order.
  ///
  /// - Parameter body: gets each event. If it throws, that event and those behind it stay.
  /// - Returns: the number of events.
  @inlinable
  package func take<Failure: Error>(_ most: Int, _ body: (borrowing Item) throws(Failure) -> Void) throws(Failure)
    -> Int
  {
    let first = taken.value.load(ordering: .relaxed)
    let count = min(most, front.value.put.load(ordering: .acquiring) &- first)
    let (slots, last) = (slots, capacity &- 1)
    var done = 0
    // Those who wait for room look at it after they have said so.
    defer { taken.value.store(first &+ done, ordering: .sequentiallyConsistent) }
    while done < count {
      let slot = slots + ((first &+ done) & last)
      try body(slot.pointee)
      slot.deinitialize(count: 1)
      done += 1
    }
    return count
  }

  /// Says what the thread will do next.
  package func announce(_ readerState: ReaderState) {
    self.readerState.store(readerState.rawValue, ordering: .sequentiallyConsistent)
  }

  // MARK: Any thread

  /// How many events fit in.
  package var limit: Int { capacity }

  /// How many times the fold found the line full.
  package var stallCount: Int { stalls.load(ordering: .relaxed) }

  /// Is `false` when the line was closed.
  package var takesEvents: Bool { isOpen.load(ordering: .acquiring) }

  /// Takes no more events.
  package func close() { isOpen.store(false, ordering: .sequentiallyConsistent) }
}

/// What the fold writes for each event of a line.
@usableFromInline
struct TapeFront: ~Copyable, Sendable {
  @usableFromInline let put = Atomic<Int>(0)
  /// What the fold knows of the number that was taken.
  @usableFromInline var knownTaken = 0

  @inlinable
  init() {}
}
