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
/// - Complexity: `insert` and `advance` are O(1) amortised. `min`, `max`, `mean` and `count` are O(1). A copy of the
///   window shares its storage until one of the two is changed; a state that can throw is copied for each event.
public struct RollingWindow<Value: BinaryFloatingPoint & Sendable>: Sendable {
  /// The length of the window.
  public let duration: Duration

  /// The newest instant that the window was told of; `nil` before the first.
  public private(set) var now: Duration?

  // Two stacks make a queue. Each element knows the summary of itself and all that are newer in its stack, or all that
  // are older. So nothing is ever subtracted from a sum, and no error of rounding stays.
  //
  //     older                                          newer
  //     leaving: [ 3 │ 2 │ 1 ]  summaries ──▶   entered: [ 4, 5, 6 ]  one summary
  //            (the top is at the end)
  private var leaving: [(reading: Reading, summary: Summary)] = []
  private var entered: [Reading] = []
  private var enteredSummary = Summary()

  /// Makes an empty window.
  ///
  /// - Parameter duration: its length.
  /// - Complexity: O(1).
  public init(over duration: Duration) {
    self.duration = Swift.max(duration, .zero)
  }

  /// Takes a value in, and drops those that have become too old.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func insert(_ value: Value, at instant: Duration) {
    advance(to: instant)
    guard !value.isNaN, duration > .zero, let now else { return }
    let reading = Reading(instant: now, value: value)
    entered.append(reading)
    enteredSummary.add(Summary(reading))
  }

  /// Drops the values that are too old at an instant.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func advance(to instant: Duration) {
    let now = Swift.max(now ?? instant, instant)
    self.now = now
    while let oldest, now - oldest.instant >= duration { removeOldest() }
  }

  /// The least of the values; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  public var min: Value? { isEmpty ? nil : summary.min }

  /// The greatest of the values; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  public var max: Value? { isEmpty ? nil : summary.max }

  /// The sum of the values, divided by their number; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  public var mean: Value? { isEmpty ? nil : summary.sum / Value(count) }

  /// The number of values.
  ///
  /// - Complexity: O(1).
  public var count: Int { leaving.count + entered.count }

  /// Is `true` if there are no values.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { leaving.isEmpty && entered.isEmpty }

  private var oldest: Reading? { leaving.last?.reading ?? entered.first }

  private var summary: Summary {
    var all = leaving.last?.summary ?? Summary()
    all.add(enteredSummary)
    return all
  }

  private mutating func removeOldest() {
    if leaving.isEmpty {
      var summary = Summary()
      for reading in entered.reversed() {
        summary.add(Summary(reading))
        leaving.append((reading, summary))
      }
      entered.removeAll(keepingCapacity: true)
      enteredSummary = Summary()
    }
    assert(!leaving.isEmpty, "A value was to leave an empty window.")
    leaving.removeLast()
  }
}

extension RollingWindow {
  private struct Reading: Sendable, Hashable {
    let instant: Duration
    let value: Value
  }

  /// Holds the least, the greatest and the sum of some values. Of none, it is what changes no other summary.
  private struct Summary: Sendable {
    var min = Value.infinity
    var max = -Value.infinity
    var sum = Value.zero

    init() {}

    init(_ reading: Reading) {
      min = reading.value
      max = reading.value
      sum = reading.value
    }

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
  private var readings: [Reading] { leaving.reversed().map(\.reading) + entered }
}
