import RASPSupport
import Streams

/// The newest events of one aggregator and the state before them.
///
/// ```
///   base ──▶ [ 41  42  43  44 ]  ◀── 45
///    ▲          │
///    └──────────┘   the oldest event is folded into the state before it when the tape is full
/// ```
///
/// Invariant: folding the events into `base` gives the state of the aggregator.
@usableFromInline
struct StateTape<State: AggregateState>: TapeContents {
  @usableFromInline typealias Item = TapeItem<State.Event>

  /// The events. It has no room if they go to the channel alone.
  @usableFromInline var events: Tape<State.Event>
  /// The cell of the tape keeps it alive, so it is not counted.
  @usableFromInline let clock: Unmanaged<TapeClock>
  /// Where the events go besides, kept alive by the cell.
  @usableFromInline let channel: Unmanaged<TapeChannel<State.Event>>?
  /// `nil` until recording begins, and if only events are kept.
  @usableFromInline var base: State?

  init(in cell: TapeCell, _ channel: TapeChannel<State.Event>?) {
    clock = .passUnretained(cell.clock)
    self.channel = channel.map { .passUnretained($0) }
    events = Tape(lane: cell.lane, after: cell.newest.load(ordering: .relaxed))
  }

  func deallocate() { events.ring.deallocate() }

  /// Begins, or goes on with room for more events.
  ///
  /// - Parameter state: the present state, if a base is wanted. What was recorded without a base is given up then.
  /// - Returns: the ring that was replaced, to be deallocated when other threads may read again.
  mutating func reserve(_ count: Int, keeping state: State?) -> TapeRing<State.Event>? {
    let isNew = events.start == nil || state != nil && base == nil
    if isNew { base = state }
    // What falls off the ring is folded into the base, so a base needs room for one event. What goes to the channel
    // alone needs none.
    return events.reserve(max(count, state == nil && channel != nil ? 0 : 1), asNew: isNew, at: now)
  }

  /// Appends an event.
  ///
  /// - Parameter isTaken: whether it goes to the channel, too.
  /// - Returns: the event that the tape has no room for any more. It is to be released when other threads may read
  ///   again.
  @inlinable
  @inline(__always)
  mutating func append(_ event: State.Event, _ cause: Cause, isTaken: Bool) -> Item? {
    let item = TapeItem(event, number: events.newest &+ 1, cause: cause, time: now)
    if isTaken, let channel { channel._withUnsafeGuaranteedRef { $0.append(item) } }
    return events.append(item)
  }

  @inlinable
  var now: Int64 {
    @inline(__always) get { clock._withUnsafeGuaranteedRef { $0.now } }
  }

  /// What each recorded event looks at.
  @inlinable
  var words: Unmanaged<CauseWords> {
    @inline(__always) get { clock._withUnsafeGuaranteedRef { $0.words } }
  }

  /// Folds an event that has fallen off into the state before the oldest one, in place.
  @inlinable
  @inline(__always)
  mutating func dropOldest(_ event: State.Event) {
    do throws(State.Rejection) { try base?.apply(event) } catch {}
  }

  /// The state that comes before the oldest event when one more is appended, for a state that can refuse an event.
  /// `nil` if it stays the same.
  @inlinable
  func nextBase() -> State? {
    guard var next = base, let oldest = events.ring.oldest else { return nil }
    do throws(State.Rejection) { try next.apply(oldest.pointee.event) } catch { return nil }
    return next
  }

  /// What has been recorded, with the state that it has led to.
  ///
  /// - Parameter instant: the present one.
  func recording(as name: String, state: State, at instant: Int64) -> Recording<State> {
    // An array that is made so and is empty writes its length into the storage that all empty arrays share, and the
    // thread sanitizer takes that for a race.
    let entries: [Recording<State>.Entry] = events.ring.count == 0 ? [] : makeEntries()
    return Recording(
      name: name,
      lane: events.lane,
      initial: base ?? (entries.isEmpty ? state : nil),
      entries: entries,
      state: state,
      start: events.isCut ? nil : .nanoseconds(events.start ?? instant),
      end: .nanoseconds(instant)
    )
  }

  /// The events that have been recorded.
  private func makeEntries() -> [Recording<State>.Entry] {
    [Recording<State>.Entry](unsafeUninitializedCapacity: events.ring.count) { entries, count in
      guard var entry = entries.baseAddress else { return }
      // A loop and no closure, and addresses that are found before it: code that does not know the type of the state
      // looks types up at each call.
      let ring = events.ring
      var item = ring.slots + ring.head
      let end = ring.slots + ring.capacity
      for _ in 0..<ring.count {
        entry.initialize(
          to: Recording<State>.Entry(
            number: Int(clamping: item.pointee.number),
            event: item.pointee.event,
            cause: item.pointee.cause,
            time: .nanoseconds(item.pointee.time)
          )
        )
        entry += 1
        count += 1
        item += 1
        if item == end { item = ring.slots }
      }
    }
  }
}
