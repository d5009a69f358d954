import RASPPrimitives
import RASPSupport
import Streams

/// The identity of something that is about to happen, and what has brought it about.
@usableFromInline
package struct TapeStamp: Sendable {
  @usableFromInline package let number: Int64
  @usableFromInline package let cause: Cause
  /// Whether it goes to the channel, too.
  @usableFromInline let isTaken: Bool

  @inlinable
  init(number: Int64, cause: Cause, isTaken: Bool) {
    self.number = number
    self.cause = cause
    self.isTaken = isTaken
  }
}

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
package final class Tape<Event: Sendable>: @unchecked Sendable {
  @usableFromInline package typealias Item = TapeItem<Event>

  /// The number that causes have if they name something on this tape.
  @usableFromInline package let lane: Int
  /// `nil` if each recorder has a name of its own.
  package let name: String?
  @usableFromInline package let clock: TapeClock
  /// Where the events go besides.
  @usableFromInline package let channel: TapeChannel<Event>?
  /// Lives as long as the tape.
  private let owner: (any AnyObject & Sendable)?

  /// The number of the newest thing. Only the owner of the queue reads it.
  @usableFromInline @exclusivity(unchecked) package var newest: Int64

  @usableFromInline @exclusivity(unchecked) package internal(set) var items = RingBuffer<Item>()
  /// The number of things that were put on the tape so far.
  @usableFromInline @exclusivity(unchecked) package internal(set) var count = 0
  /// The number of things that there is room for: none if they go to the channel alone.
  @usableFromInline @exclusivity(unchecked) var limit = 0
  /// The instant at which recording has begun; `nil` until it does.
  @exclusivity(unchecked) package private(set) var start: Int64?
  /// Is `true` once something has fallen off.
  @usableFromInline @exclusivity(unchecked) package internal(set) var isCut = false

  /// Makes a tape without room.
  ///
  /// - Parameters:
  ///   - name: `nil` if each recorder has a name of its own.
  ///   - newest: the number before the first one.
  package init(
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
  package convenience init<State: AggregateState>(continuing continuation: Continuation<State>)
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
  package func reserve(_ count: Int, asNew isNew: Bool) -> RingBuffer<Item> {
    // More would be a mistake for which there is no memory.
    limit = max(min(count, 1 << 24), limit)
    guard isNew else { return RingBuffer() }
    let replaced = items
    (items, start, isCut) = (RingBuffer(), clock.now, false)
    return replaced
  }

  /// Gives what happens next its number, which is the cause of what `body` sends. There is room for it in the channel
  /// then: `body` puts one thing on the tape.
  @inlinable
  @inline(__always)
  package func stamping<Failure: Error>(
    _ access: QueueAccess,
    _ body: (TapeStamp) throws(Failure) -> Void
  ) throws(Failure) {
    let isTaken = channel?.makeRoom(access) ?? false
    let words = clock.words
    let slot = words._withUnsafeGuaranteedRef { $0.slot }
    let ofTask = words._withUnsafeGuaranteedRef { $0.causeOfTask }
    let cause = (ofTask == .none ? slot.pointee : ofTask).cause
    newest &+= 1
    // Without a lane, or behind the last number of one, it has no identity.
    let identity = CarriedCause(Cause(lane: lane, number: Int(clamping: newest)))
    let stamp = TapeStamp(number: newest, cause: cause, isTaken: isTaken)
    try identity.deliver(in: slot, ofTask: ofTask) { () throws(Failure) in try body(stamp) }
  }

  /// Puts something on the tape, behind the gate.
  ///
  /// - Returns: what there is no room for any more, to be released when other threads may read again.
  @inlinable
  @inline(__always)
  package func append(_ event: Event, _ stamp: TapeStamp) -> Item? {
    let item = Item(event, number: stamp.number, cause: stamp.cause, time: clock.now)
    if stamp.isTaken, let channel {
      channel.append(item)
      channel.wakeIfParked()
    }
    let isFull = items.count == limit
    if isFull { isCut = true }
    if limit == 0 { return nil }
    let oldest = isFull ? items.popFirst() : nil
    items.append(item)
    count &+= 1
    return oldest
  }
}
