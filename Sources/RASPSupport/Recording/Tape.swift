import Streams

/// The newest things that happened in one lane, with their numbers, causes and times. What is kept besides, such as the
/// state before the oldest one, stands around it.
///
/// ```
///   … [ 41  42  43  44 ]  ◀── 45
///                    ▲ newest
/// ```
///
/// Invariant: the numbers on the tape rise, up to `newest`.
@usableFromInline
package struct Tape<Event: Sendable>: Sendable {
  @usableFromInline package typealias Item = TapeItem<Event>

  /// The number that causes have if they name something on this tape.
  package let lane: Int
  /// The bits of the lane in these causes.
  @usableFromInline let laneBits: UInt64
  /// What the numbers must be smaller than that causes have. What is behind them has no identity.
  @usableFromInline let numberLimit: UInt64
  @usableFromInline package var ring: TapeRing<Event>
  /// The number of the newest thing that happened, also if the ring has no room for it.
  @usableFromInline package internal(set) var newest: Int64
  /// The instant at which recording has begun; `nil` until it does.
  package private(set) var start: Int64?
  /// Is `true` once something has fallen off.
  @usableFromInline package internal(set) var isCut = false

  /// Makes a tape without room.
  ///
  /// - Parameter newest: the number before the first one.
  package init(lane: Int, after newest: Int64 = 0) {
    self.lane = lane
    laneBits = Cause(lane: lane, number: 0).rawValue
    // Without a lane all causes are unknown.
    numberLimit = laneBits == 0 ? 0 : Cause.numberLimit
    self.newest = newest
    ring = TapeRing(capacity: 0)
  }

  /// Begins, or goes on with more room.
  ///
  /// - Parameters:
  ///   - isNew: whether what was recorded before is given up.
  ///   - instant: the present one.
  /// - Returns: the ring that was replaced, to be deallocated when other threads may read again.
  package mutating func reserve(_ count: Int, asNew isNew: Bool, at instant: Int64) -> TapeRing<Event>? {
    let isNew = isNew || start == nil
    if isNew { (start, isCut) = (instant, false) }
    return ring.reserve(count, asNew: isNew)
  }

  /// The identity of what has a number.
  @inlinable
  @inline(__always)
  package func identity(of number: Int64) -> CarriedCause {
    let number = UInt64(truncatingIfNeeded: number)
    return number < numberLimit ? CarriedCause(Cause(rawValue: laneBits | number)) : .unknown
  }

  /// The identity of what happens next.
  @inlinable
  package var next: CarriedCause {
    @inline(__always) get { identity(of: newest &+ 1) }
  }

  /// Puts an item on the tape, if it has room for any.
  ///
  /// - Returns: the item that there is no room for any more, to be released when other threads may read again.
  @inlinable
  @inline(__always)
  package mutating func append(_ item: consuming Item) -> Item? {
    assert(item.number > newest, "The numbers on a tape do not rise.")
    newest = item.number
    if ring.isFull {
      isCut = true
      if ring.capacity == 0 { return nil }
    }
    return ring.append(consume item)
  }
}
