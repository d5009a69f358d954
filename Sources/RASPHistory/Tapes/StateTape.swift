import Aggregate
import Streams

/// The newest events of one aggregator and the state before them.
///
/// ```
///   base ──▶ [ 41  42  43  44 ]  ◀── 45
///    ▲          │
///    └──────────┘   the oldest event is folded into the state before it when the tape is full
/// ```
///
/// Safe to share: as the ``Tape``.
///
/// Invariant: folding the events into `base` gives the state of the aggregator.
@usableFromInline
final class StateTape<State: AggregateState>: @unchecked Sendable {
  @usableFromInline let events: Tape<State.Event>
  /// `nil` until recording begins, and if only events are kept.
  @usableFromInline @exclusivity(unchecked) var base: State?

  init(_ events: Tape<State.Event>) {
    self.events = events
  }

  /// Begins, or goes on with room for more events.
  ///
  /// - Parameter state: the present state, if a base is wanted. What was recorded without a base is given up then.
  /// - Returns: what was given up, to be released when other threads may read again.
  func reserve(_ count: Int, keeping state: State?) -> RingBuffer<TapeItem<State.Event>> {
    let isNew = events.start == nil || state != nil && base == nil
    if isNew { base = state }
    // What falls off is folded into the base, so a base needs room for one event. What goes to the channel alone needs
    // none.
    return events.reserve(max(count, state == nil && events.channel != nil ? 0 : 1), asNew: isNew)
  }

  /// Puts an event on the tape, behind the gate.
  ///
  /// - Returns: what there is no room for any more, to be released when other threads may read again.
  @inlinable
  @inline(__always)
  func fold(_ event: State.Event) -> State.Event? {
    let oldest = events.append(event)
    if let oldest { _ = base?.fold(oldest) }
    return oldest
  }

  /// Has the events of an aggregator recorded here.
  @inlinable
  var hook: AggregatorCore<State>.Hook {
    AggregatorCore<State>.Hook(self, number: { self.events.number($0, $1) }, note: { self.fold($0) })
  }

  /// What has been recorded, with the state that it has led to; `nil` if this thread is inside `apply`.
  ///
  /// It is copied in pieces, the newest events first, so that the next event waits for one piece at most. The state
  /// before the events is copied with the last piece. What falls off meanwhile is not there.
  func recording(as name: String, of core: AggregatorCore<State>) -> Recording<State>? {
    let instant = events.clock.now
    let present = core.readOutsideApply { (state: $0.pointee, count: events.count) }
    guard let present else { return nil }
    var (base, start) = (State?.none, instant)
    var newestFirst: [TapeItem<State.Event>] = []
    var isWhole = false
    while !isWhole {
      let next = present.count - newestFirst.count
      let isRead: Void? = core.readOutsideApply { _ in
        let oldest = events.count - events.items.count
        let first = max(oldest, next - 64)
        for place in stride(from: next - 1, through: first, by: -1) { newestFirst.append(events.items[place - oldest]) }
        // What has fallen off since it was copied stands at the end.
        let kept = max(0, present.count - oldest)
        if newestFirst.count > kept { newestFirst.removeLast(newestFirst.count - kept) }
        isWhole = first == oldest
        if isWhole { (base, start) = (self.base, events.isCut ? .min : events.start ?? instant) }
      }
      if isRead == nil { return nil }
    }
    let entries = newestFirst.reversed().map { $0.entry(of: State.self) }
    return Recording(
      name: name,
      lane: events.lane,
      initial: entries.isEmpty ? present.state : base,
      entries: entries,
      state: present.state,
      start: start == .min ? nil : .nanoseconds(start),
      end: .nanoseconds(instant)
    )
  }
}
