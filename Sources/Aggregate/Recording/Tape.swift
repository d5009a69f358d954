import RASPSupport
import Streams
import Synchronization

/// The newest events of one aggregator and the state before them.
///
/// ```
///   base ──▶ [ 41  42  43  44 ]  ◀── 45
///    ▲          │
///    └──────────┘   the oldest event is folded into the state before it when the tape is full
/// ```
///
/// Invariants:
/// - Folding the events into `base` gives the state of the aggregator.
/// - The events have the numbers up to `newest`, without a gap.
@usableFromInline
struct Tape<State: AggregateState> {
  @usableFromInline typealias Item = TapeItems<State.Event>.Item

  /// The number that causes have if they name an event of this tape.
  let lane: Int
  /// The bits of the lane in these causes.
  @usableFromInline let laneBits: UInt64
  /// What the numbers must be smaller than that causes have. The events behind them have no identity.
  @usableFromInline let numberLimit: UInt64
  /// The cell of the tape keeps it alive, so it is not counted.
  @usableFromInline let clock: Unmanaged<TapeClock>
  /// It has no room if the events go to the channel alone.
  @usableFromInline var items: TapeItems<State.Event>
  /// Where the events go besides, kept alive by the cell.
  @usableFromInline let channel: Unmanaged<TapeChannel<State.Event>>?
  /// `nil` until recording begins, and if only events are kept.
  @usableFromInline var base: State?
  /// The number of the newest event.
  @usableFromInline var newest: Int64
  private var hasBegun = false
  /// Where the events on the tape begin if none has fallen off: the number of the event before them, and the instant.
  private var start: (number: Int64, time: Int64) = (0, 0)

  /// - Parameter newest: the number of the event before the first one.
  init(lane: Int, clock: TapeClock, newest: Int64 = 0, channel: Unmanaged<TapeChannel<State.Event>>? = nil) {
    self.lane = lane
    laneBits = Cause(lane: lane, number: 0).rawValue
    // Without a lane all causes are unknown.
    numberLimit = laneBits == 0 ? 0 : Cause.numberLimit
    self.clock = .passUnretained(clock)
    self.newest = newest
    self.channel = channel
    items = TapeItems(capacity: channel == nil ? 1 : 0)
  }

  /// Begins, or goes on with room for more events.
  ///
  /// - Parameter state: the present state, if a base is wanted. What was recorded without a base is given up then.
  /// - Returns: the ring that was replaced, to be deallocated when other threads may read again.
  mutating func reserve(_ count: Int, keeping state: State?) -> TapeItems<State.Event>? {
    let isNew = !hasBegun || state != nil && base == nil
    if isNew {
      base = state
      hasBegun = true
      start = (newest, now)
    }
    // What falls off the ring is folded into the base, so a base needs a ring.
    return items.reserve(max(count, state == nil ? 0 : 1), asNew: isNew)
  }

  /// The identity of the event that comes next.
  @inlinable
  var next: CarriedCause {
    @inline(__always) get {
      let number = UInt64(truncatingIfNeeded: newest &+ 1)
      return number < numberLimit ? CarriedCause(Cause(rawValue: laneBits | number)) : .unknown
    }
  }

  /// Appends an event.
  ///
  /// - Parameter isTaken: whether it goes to the channel, too.
  /// - Returns: the event that the tape has no room for any more. It is to be released when other threads may read
  ///   again.
  @inlinable
  @inline(__always)
  mutating func append(_ event: State.Event, _ cause: Cause, isTaken: Bool) -> Item? {
    newest &+= 1
    let item = Item(event: event, cause: cause, time: now)
    if isTaken, let channel { channel._withUnsafeGuaranteedRef { $0.append(item) } }
    return items.capacity == 0 ? nil : items.append(item)
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
    guard var next = base, let oldest = items.oldest else { return nil }
    do throws(State.Rejection) { try next.apply(oldest) } catch { return nil }
    return next
  }

  /// What has been recorded, with the state that it has led to.
  ///
  /// - Parameter instant: the present one.
  func recording(as name: String, state: State, at instant: Int64) -> Recording<State> {
    let first = newest - Int64(items.count)
    let hasAll = first == start.number
    let entries = [Recording<State>.Entry](unsafeUninitializedCapacity: items.count) { entries, count in
      // A loop and no closure: code that does not know the type of the state looks types up at each call.
      guard var entry = entries.baseAddress else { return }
      for place in 0..<items.count {
        let item = items.slot(at: place)
        entry.initialize(
          to: Recording<State>.Entry(
            number: Int(clamping: first + Int64(place) + 1),
            event: item.pointee.event,
            cause: item.pointee.cause,
            time: .nanoseconds(item.pointee.time)
          )
        )
        entry += 1
        count += 1
      }
    }
    return Recording(
      name: name,
      lane: lane,
      initial: base ?? (entries.isEmpty ? state : nil),
      entries: entries,
      state: state,
      start: hasAll ? .nanoseconds(hasBegun ? start.time : instant) : nil,
      end: .nanoseconds(instant)
    )
  }
}
