/// The values of the last seconds or minutes, and their minimum, maximum, mean and count: a field of a state.
///
///     struct WindState: AggregateState {
///       var lastMinute = RollingWindow<Double>(over: .seconds(60))
///
///       mutating func apply(_ reading: Reading) {
///         lastMinute.insert(reading.speed, at: reading.instant)
///       }
///     }
///
///     wind.select { $0.lastMinute.max }.subscribe { show(gust: $0) }
///
/// Time comes from the events, as a duration since any origin: the window reads no clock. It ends at the newest instant
/// that it was told of, and a value whose age is the length of the window or more is not in it. An instant that is
/// earlier than that is taken for it, so time does not go back.
///
/// A value that is not a number is not taken in. The length of a window that is not positive is zero, and such a window
/// stays empty.
///
/// - Complexity: `insert` and `advance` are O(1) amortised, also while a copy of the window is kept, with which it shares its
///   storage: a state that can throw is copied for each event. `min`, `max`, `mean` and `count` are O(1).
public struct RollingWindow<Value: BinaryFloatingPoint & Sendable>: Sendable {
  /// The length of the window.
  public let duration: Duration

  /// The newest instant that the window was told of; `nil` before the first.
  public private(set) var now: Duration?

  /// The same for code that is compiled where the type is known, which cannot use a private setter.
  @usableFromInline var changingNow: Duration? {
    get { now }
    _modify { yield &now }
  }

  // Two stacks make a queue. Each element knows the summary of itself and all that are newer in its stack, or all that
  // are older. So nothing is ever subtracted from a sum, and no error of rounding stays.
  //
  //     older                                          newer
  //     leaving: [ 3 │ 2 │ 1 ]  summaries ──▶   entered: [ 4, 5, 6 ]  one summary
  //            (the top is at `remaining`)
  //
  // A copy of the window shares both. What leaves only lowers a number, and what enters changes one piece.
  @usableFromInline var leaving: ContiguousArray<(reading: Reading, summary: Summary)>
  /// The number of those that are still in the stack. Above it are some that have left.
  @usableFromInline var remaining: Int
  @usableFromInline var entered: PiecedStack<Reading>
  @usableFromInline var enteredSummary: Summary

  /// Makes an empty window.
  ///
  /// - Parameter duration: its length.
  /// - Complexity: O(1).
  @inlinable
  public init(over duration: Duration) {
    self.duration = Swift.max(duration, .zero)
    leaving = []
    remaining = 0
    entered = PiecedStack()
    enteredSummary = Summary()
  }

  /// Takes a value in, and drops those that have become too old.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func insert(_ value: Value, at instant: Duration) {
    let now = moveOn(to: instant)
    guard !value.isNaN, duration > .zero else { return }
    let reading = Reading(instant: now, value: value)
    entered.append(reading)
    enteredSummary.add(Summary(reading))
  }

  /// Drops the values that are too old at an instant.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func advance(to instant: Duration) {
    _ = moveOn(to: instant)
  }

  /// - Returns: the newest instant.
  @inlinable
  mutating func moveOn(to instant: Duration) -> Duration {
    let newest = Swift.max(now ?? instant, instant)
    changingNow = newest
    while let oldest, newest - oldest.instant >= duration { removeOldest() }
    return newest
  }

  /// The least of the values; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var min: Value? { isEmpty ? nil : summary.min }

  /// The greatest of the values; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var max: Value? { isEmpty ? nil : summary.max }

  /// The sum of the values, divided by their number; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var mean: Value? { isEmpty ? nil : summary.sum / Value(count) }

  /// The number of values.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { remaining + entered.count }

  /// Is `true` if there are no values.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { remaining == 0 && entered.isEmpty }

  @inlinable
  var oldest: Reading? { remaining > 0 ? leaving[remaining - 1].reading : entered.first }

  @inlinable
  var summary: Summary {
    guard remaining > 0 else { return enteredSummary }
    var all = leaving[remaining - 1].summary
    all.add(enteredSummary)
    return all
  }

  @inlinable
  mutating func removeOldest() {
    if remaining == 0 { turnOver() }
    assert(remaining > 0, "A value was to leave an empty window.")
    remaining -= 1
  }

  /// Makes what has entered the stack of what leaves.
  @inlinable
  @inline(never)
  mutating func turnOver() {
    leaving.removeAll(keepingCapacity: true)
    leaving.reserveCapacity(entered.count)
    var summary = Summary()
    while let reading = entered.popLast() {
      summary.add(Summary(reading))
      leaving.append((reading, summary))
    }
    remaining = leaving.count
    enteredSummary = Summary()
  }
}

extension RollingWindow {
  @usableFromInline
  struct Reading: Sendable, Hashable {
    @usableFromInline let instant: Duration
    @usableFromInline let value: Value

    @inlinable
    init(instant: Duration, value: Value) {
      self.instant = instant
      self.value = value
    }
  }

  /// Holds the least, the greatest and the sum of some values. Of none, it is what changes no other summary.
  @usableFromInline
  struct Summary: Sendable {
    @usableFromInline var min: Value
    @usableFromInline var max: Value
    @usableFromInline var sum: Value

    @inlinable
    init() {
      min = Value.infinity
      max = -Value.infinity
      sum = Value.zero
    }

    @inlinable
    init(_ reading: Reading) {
      min = reading.value
      max = reading.value
      sum = reading.value
    }

    @inlinable
    mutating func add(_ other: Summary) {
      min = Swift.min(min, other.min)
      max = Swift.max(max, other.max)
      sum += other.sum
    }
  }
}

extension RollingWindow: Hashable {
  /// Returns whether two windows have the same length, the same newest instant and the same values at the same
  /// instants.
  ///
  /// - Complexity: O(values).
  public static func == (left: RollingWindow, right: RollingWindow) -> Bool {
    left.duration == right.duration && left.now == right.now && left.count == right.count
      && left.readings.elementsEqual(right.readings)
  }

  /// Hashes what the windows are compared by.
  ///
  /// - Complexity: O(values).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(duration)
    hasher.combine(now)
    hasher.combine(count)
    for reading in readings { hasher.combine(reading) }
  }

  /// The values, the oldest first.
  private var readings: [Reading] { leaving[..<remaining].reversed().map { $0.reading } + entered.elements }
}
