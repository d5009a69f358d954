/// The identity of one thing that happened: the event of an aggregator, the execution of a command, an action. What it
/// brings about carries it as its cause.
///
/// A cause is carried and never guessed. If no way of carrying it was open, it is ``unknown``. The rules:
///
/// 1. While something is delivered, it is the cause of all that is sent on this thread.
/// 2. A task has the cause that it was given: the execution whose handler runs in it, the action whose service runs in it, or
///    the cause that ``perform(isolation:_:)`` was called on. What it was given inside of a delivery counts there.
/// 3. Otherwise it is ``unknown``.
///
/// What waits takes its cause along: in the line of a queue, in an operator such as `delay`, for an actor. What a timer brings
/// about is ``unknown``, and so is what a `Task` sends that a subscriber starts without ``perform(isolation:_:)``.
///
/// It is a number of the lane, which is one recorded aggregator, engine or cluster, and a number in the lane.
///
/// ```
///   63        48 47                      0
///   │   lane   │         number          │     lane 0: unknown
/// ```
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
    // A number of 48 bits does not fit into every `Int`.
    let fits = lane > 0 && lane < 1 << 16 && number >= 0 && UInt64(number) < 1 << 48
    rawValue = fits ? UInt64(lane) << 48 | UInt64(number) : 0
  }

  /// No cause is known: what happened came from outside, or the way from its cause was not recorded.
  @inlinable public static var unknown: Cause { Cause(rawValue: 0) }

  /// The number of the lane; 0 if the cause is unknown.
  @inlinable public var lane: Int { Int(rawValue >> 48) }

  /// The number in the lane; the largest `Int` if that is smaller.
  @inlinable public var number: Int { Int(clamping: rawValue & (1 << 48 - 1)) }
}
