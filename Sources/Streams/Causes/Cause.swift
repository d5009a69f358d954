/// The identity of one thing that happened: the event of an aggregator, the execution of a command, an action. What it
/// brings about carries it as its cause.
///
/// A cause is carried and never guessed. If no way of carrying it was open, it is ``unknown``. The rules:
///
/// 1. While something is delivered, it is the cause of all that is sent on this thread.
/// 2. A task has the cause that it was given: the execution whose handler runs in it, the action whose service runs in
///    it, or the cause that ``perform(isolation:_:)`` was called on. What it was given inside of a delivery counts
///    there.
/// 3. Otherwise it is ``unknown``.
///
/// What waits takes its cause along: in the line of a queue, in an operator such as `delay`, for an actor. What a timer
/// brings about is ``unknown``, and so is what a `Task` sends that a subscriber starts without
/// ``perform(isolation:_:)``.
///
/// It is a number of the lane, which is one recorded aggregator, engine or cluster, and a number in the lane.
///
/// ```
///   63        40 39                      0
///   │   lane   │         number          │     lane 0: unknown
/// ```
///
/// A process has 16,777,215 lanes. An aggregator takes one each time a recording of it begins, an engine or a cluster
/// takes one the first time, and a journal one each time it is opened. A lane has numbers below 1,099,511,627,776, or
/// below 2,147,483,647 on a processor of 32 bits. What is beyond is recorded, and has no identity: the cause of what it
/// brings about is ``unknown``. No number is given twice.
public struct Cause: Hashable, Sendable {
  /// The two numbers in one.
  public let rawValue: UInt64

  /// Makes a cause from the number that ``rawValue`` gave.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Makes a cause. It is ``unknown`` if the lane is 0, or if one of the numbers is too large.
  @inlinable
  public init(lane: Int, number: Int) {
    let fits = lane > 0 && lane < Self.laneLimit && number >= 0 && UInt64(number) < Self.numberLimit
    rawValue = fits ? UInt64(lane) << Self.numberBits | UInt64(number) : 0
  }

  /// No cause is known: what happened came from outside, or the way from its cause was not recorded.
  @inlinable public static var unknown: Cause { Cause(rawValue: 0) }

  /// The number of the lane; 0 if the cause is unknown.
  @inlinable public var lane: Int { Int(rawValue >> Self.numberBits) }

  /// The number in the lane; the largest `Int` if that is smaller.
  @inlinable public var number: Int { Int(clamping: wideNumber) }
}

extension Cause {
  /// How many of the bits are the number in the lane.
  @inlinable static var numberBits: UInt64 { 40 }

  /// What the numbers of lanes are smaller than.
  @inlinable static var laneLimit: Int { 1 << 24 }

  /// What the numbers in a lane are smaller than. `Int.max` is none of them, because all that do not fit into an `Int`
  /// are clamped to it.
  @inlinable package static var numberLimit: UInt64 { min(1 << numberBits, UInt64(Int.max)) }

  /// The number in the lane, also where an `Int` is too small for it.
  @inlinable package var wideNumber: UInt64 { rawValue & (1 << Self.numberBits - 1) }

  /// Makes a cause of the two numbers of any processor; `nil` if one of them has too many bits.
  package init?(lane: UInt64, wideNumber number: UInt64) {
    guard lane < UInt64(Self.laneLimit), number >> Self.numberBits == 0 else { return nil }
    rawValue = lane << Self.numberBits | number
  }
}
