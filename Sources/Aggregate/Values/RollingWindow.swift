/// The values of the last seconds or minutes, and their minimum, maximum, sum, mean and count: a field of a state.
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
/// ### Memory
///
/// A window keeps each of its values, in 24 to 72 bytes. Where many come, a window with a resolution bounds its memory:
///
///     var lastMinute = RollingWindow<Double>(over: .seconds(60), in: 60)   // 61 slots at most, of a second each
///
/// It keeps one entry for all values of one slot, and they leave the window together, when the newest of them could no
/// longer be in it. So a value stays for up to one slot longer.
///
/// - Complexity: `insert` and `advance` are O(1) amortised, also while a copy of the window is kept, with which it
///   shares its storage: a state that can throw is copied for each event. `min`, `max`, `sum`, `mean` and `count` are
///   O(1).
public struct RollingWindow<Value: BinaryFloatingPoint & Sendable>: Sendable {
  /// The length of the window.
  public let duration: Duration

  /// The length of one slot of a window that has a resolution; `nil` if the window keeps each value.
  @inlinable public var slotDuration: Duration? { slotted.first?.slotDuration }

  /// The newest instant that the window was told of; `nil` before the first.
  public private(set) var now: Duration?

  /// The same for code that is compiled where the type is known, which cannot use a private setter.
  @usableFromInline var changingNow: Duration? {
    get { now }
    _modify { yield &now }
  }

  /// The values, where there are no slots.
  @usableFromInline var readings: SummaryQueue<Reading>
  /// The slots; empty in a window that keeps each value. A window is copied often, and this is one reference.
  @usableFromInline var slotted: ContiguousArray<SlottedValues<Value>>

  /// Makes an empty window that keeps each value.
  ///
  /// - Parameter duration: its length.
  /// - Complexity: O(1).
  @inlinable
  public init(over duration: Duration) {
    self.init(over: Swift.max(duration, .zero), slotDuration: nil)
  }

  /// Makes an empty window that keeps the values of one slot together.
  ///
  /// - Parameters:
  ///   - duration: its length.
  ///   - slotCount: the number of slots that this is divided into. Less than one counts as one.
  /// - Complexity: O(1).
  @inlinable
  public init(over duration: Duration, in slotCount: Int) {
    let duration = Swift.max(duration, .zero)
    self.init(over: duration, slotDuration: duration / Swift.max(1, slotCount))
  }

  @inlinable
  init(over duration: Duration, slotDuration: Duration?) {
    self.duration = duration
    readings = SummaryQueue()
    slotted = []
    if let slotDuration { slotted.append(SlottedValues(slotDuration)) }
  }

  /// Takes a value in, and drops those that have become too old.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func insert(_ value: Value, at instant: Duration) {
    let now = moveOn(to: instant)
    guard !value.isNaN, duration > .zero else { return }
    if !slotted.isEmpty { return slotted[0].insert(value, at: now) }
    readings.append(Reading(instant: now, value: value))
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
    if slotted.isEmpty {
      while let oldest = readings.oldest, newest - oldest.instant >= duration { readings.removeOldest() }
    } else {
      slotted[0].drop(endingBefore: newest - duration)
    }
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

  /// The sum of the values; zero if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var sum: Value { isEmpty ? .zero : summary.sum }

  /// The sum of the values, divided by their number; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var mean: Value? { isEmpty ? nil : summary.sum / Value(count) }

  /// The number of values.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { slotted.isEmpty ? readings.count : slotted[0].count }

  /// Is `true` if there are no values.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { count == 0 }

  @inlinable
  var summary: ValueSummary<Value> { slotted.isEmpty ? readings.summary : slotted[0].summary }
}

extension RollingWindow {
  /// One value.
  @usableFromInline
  struct Reading: SummarizedEntry {
    @usableFromInline let instant: Duration
    @usableFromInline let value: Value

    @inlinable
    init(instant: Duration, value: Value) {
      self.instant = instant
      self.value = value
    }

    @inlinable
    var count: Int { 1 }

    @inlinable
    var summary: ValueSummary<Value> { ValueSummary(value) }
  }
}

extension RollingWindow: Hashable {
  /// Returns whether two windows have the same length and resolution, the same newest instant and the same values at
  /// the same instants; of slots, the same summaries.
  ///
  /// - Complexity: O(values).
  public static func == (left: RollingWindow, right: RollingWindow) -> Bool {
    left.duration == right.duration && left.slotDuration == right.slotDuration && left.now == right.now
      && left.count == right.count && left.readings.entries.elementsEqual(right.readings.entries)
      && left.slotted.first?.all == right.slotted.first?.all
  }

  /// Hashes what the windows are compared by.
  ///
  /// - Complexity: O(values).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(duration)
    hasher.combine(slotDuration)
    hasher.combine(now)
    hasher.combine(count)
    for reading in readings.entries { hasher.combine(reading) }
    for slot in slotted.first?.all ?? [] { hasher.combine(slot) }
  }
}
