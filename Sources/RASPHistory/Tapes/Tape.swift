import Aggregate
import Streams

/// The newest things that happened in one lane, with their numbers, causes and times. What is kept besides, such as the
/// state before the oldest one, stands around it.
///
/// ```
///   … [ 41  42  43  44 ]  ◀── 45
///                    ▲ newest
/// ```
///
/// Safe to share: the owner of the queue changes it, behind the gate of the state if other threads read that part, so
/// that they copy the tape and the state of one moment there. The rest does not change.
///
/// Invariant: the numbers on the tape rise, up to `newest`.
@usableFromInline
final class Tape<Event: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Item = TapeItem<Event>

  /// The number that causes have if they name something on this tape.
  @usableFromInline let lane: Int
  /// `nil` if each recorder has a name of its own.
  let name: String?
  @usableFromInline let clock: TapeClock
  /// Where the events go besides.
  @usableFromInline let channel: TapeChannel<Event>?
  /// Lives as long as the tape.
  private let owner: (any AnyObject & Sendable)?

  /// The number of the newest thing, what has brought it about, and whether it goes to the channel, too. Only the owner
  /// of the queue reads them.
  @usableFromInline @exclusivity(unchecked) var newest: Int64
  @usableFromInline @exclusivity(unchecked) var cause = Cause.unknown
  @usableFromInline @exclusivity(unchecked) var isTaken = false

  @usableFromInline @exclusivity(unchecked) var items = RingBuffer<Item>()
  /// The number of things that were put on the tape so far.
  @usableFromInline @exclusivity(unchecked) var count = 0
  /// The number of things that there is room for: none if they go to the channel alone.
  @usableFromInline @exclusivity(unchecked) var limit = 0
  /// The instant at which recording has begun; `nil` until it does.
  @exclusivity(unchecked) private(set) var start: Int64?
  /// Is `true` once something has fallen off.
  @usableFromInline @exclusivity(unchecked) var isCut = false

  /// Makes a tape without room.
  ///
  /// - Parameters:
  ///   - name: `nil` if each recorder has a name of its own.
  ///   - newest: the number before the first one.
  init(
    as name: String?,
    lane: Int = CauseLanes.next(),
    after newest: Int = 0,
    clock: TapeClock,
    channel: TapeChannel<Event>? = nil,
    owner: (any AnyObject & Sendable)? = nil
  ) {
    self.name = name
    self.lane = lane
    self.newest = Int64(newest)
    self.clock = clock
    self.channel = channel
    self.owner = owner
  }

  /// Makes a tape that goes on where something else ended.
  convenience init<State: AggregateState>(continuing continuation: Continuation<State>)
  where State.Event == Event {
    self.init(
      as: nil,
      lane: continuation.lane,
      after: continuation.newest,
      clock: continuation.clock,
      channel: continuation.channel,
      owner: continuation.owner
    )
  }

  /// Begins, or goes on with more room.
  ///
  /// - Parameter isNew: whether what was recorded before is given up.
  /// - Returns: what was given up, to be released when other threads may read again.
  func reserve(_ count: Int, asNew isNew: Bool) -> RingBuffer<Item> {
    // More would be a mistake for which there is no memory.
    limit = max(min(count, 1 << 24), limit)
    guard isNew else { return RingBuffer() }
    let replaced = items
    (items, start, isCut) = (RingBuffer(), clock.now, false)
    return replaced
  }

  /// Gives what happens next its number. There is room for it in the channel then: one thing is put on the tape.
  ///
  /// - Returns: its identity.
  @inlinable
  @inline(__always)
  func number(_ access: QueueAccess, _ cause: Cause) -> CarriedCause {
    isTaken = channel?.makeRoom(access) ?? false
    self.cause = cause
    newest &+= 1
    // Without a lane, or behind the last number of one, it has no identity.
    return CarriedCause(Cause(lane: lane, number: Int(clamping: newest)))
  }

  /// Puts what was numbered last on the tape, behind the gate.
  ///
  /// - Returns: what there is no room for any more, to be released when other threads may read again.
  @inlinable
  @inline(__always)
  func append(_ event: Event) -> Event? {
    let item = Item(event, number: newest, cause: cause, time: clock.now)
    if isTaken, let channel {
      channel.append(item)
      channel.wakeIfParked()
    }
    if limit == 0 {
      isCut = true
      return nil
    }
    count &+= 1
    if items.count < limit {
      items.append(item)
      return nil
    }
    isCut = true
    return items.cycle(item)?.event
  }
}
