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
/// - Complexity: `insert` and `advance` are O(1) amortised, and O(values) while a copy of the window is kept: a state
///   that can throw is copied for each event. `min`, `max`, `sum`, `mean` and `count` are O(1). A value takes 32 to 96
///   bytes.
public struct RollingWindow<Value: BinaryFloatingPoint & Sendable>: Sendable {
  @usableFromInline
  struct Reading: Sendable, Hashable {
    @usableFromInline let instant: Duration
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value, at instant: Duration) {
      self.instant = instant
      self.value = value
    }
  }

  /// The length of the window.
  public let duration: Duration

  @usableFromInline var newest: Duration?
  @usableFromInline var readings = Queue<Reading>()
  /// Each of them is less than those behind it, and nothing that is younger is less: the first one is the minimum.
  @usableFromInline var minima = Queue<Reading>()
  /// The same for the maximum.
  @usableFromInline var maxima = Queue<Reading>()
  @usableFromInline var total = Value.zero
  /// What rounding has taken from the total, by the summation of Neumaier: a large value that leaves takes no smaller
  /// one with it.
  @usableFromInline var lost = Value.zero

  /// Makes an empty window.
  ///
  /// - Parameter duration: its length.
  /// - Complexity: O(1).
  @inlinable
  public init(over duration: Duration) {
    self.duration = Swift.max(duration, .zero)
  }

  /// Takes a value in, and drops those that have become too old.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func insert(_ value: Value, at instant: Duration) {
    advance(to: instant)
    guard let newest, !value.isNaN, duration > .zero else { return }
    let reading = Reading(value, at: newest)
    readings.append(reading)
    add(value)
    while let last = minima.last, last.value >= value { minima.popLast() }
    minima.append(reading)
    while let last = maxima.last, last.value <= value { maxima.popLast() }
    maxima.append(reading)
  }

  /// Drops the values that are too old at an instant.
  ///
  /// - Complexity: O(1) amortised.
  @inlinable
  public mutating func advance(to instant: Duration) {
    let now = Swift.max(newest ?? instant, instant)
    newest = now
    var hasLeft = false
    while let oldest = readings.first, now - oldest.instant >= duration {
      readings.removeFirst()
      add(-oldest.value)
      hasLeft = true
    }
    while let oldest = minima.first, now - oldest.instant >= duration { minima.removeFirst() }
    while let oldest = maxima.first, now - oldest.instant >= duration { maxima.removeFirst() }
    // A sum that was no finite number does not become one by a difference.
    guard hasLeft, isEmpty || !total.isFinite else { return }
    (total, lost) = (.zero, .zero)
    for reading in readings.elements { add(reading.value) }
  }

  @inlinable
  mutating func add(_ value: Value) {
    let sum = total + value
    lost += total.magnitude >= value.magnitude ? (total - sum) + value : (value - sum) + total
    total = sum
  }

  /// The newest instant that the window was told of; `nil` before the first.
  public var now: Duration? { newest }

  /// The least of the values; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var min: Value? { minima.first?.value }

  /// The greatest of the values; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var max: Value? { maxima.first?.value }

  /// The sum of the values; zero if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var sum: Value { total.isFinite ? total + lost : total }

  /// The sum of the values, divided by their number; `nil` if there are none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var mean: Value? { isEmpty ? nil : sum / Value(count) }

  /// The number of values.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { readings.count }

  /// Is `true` if there are no values.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { count == 0 }
}

extension RollingWindow: Hashable {
  /// Returns whether two windows have the same length, the same newest instant and the same values at the same
  /// instants.
  ///
  /// - Complexity: O(values).
  public static func == (left: RollingWindow, right: RollingWindow) -> Bool {
    left.duration == right.duration && left.newest == right.newest && left.readings == right.readings
  }

  /// Hashes what the windows are compared by.
  ///
  /// - Complexity: O(values).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(duration)
    hasher.combine(newest)
    hasher.combine(readings.elements)
  }
}

extension RollingWindow {
  private enum CodingKeys: String, CodingKey {
    case duration, now, instants, values
  }
}

extension RollingWindow: Encodable where Value: Encodable {
  /// Encodes the length, the newest instant, and the values with their instants, the oldest first.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(newest, forKey: .now)
    try container.encode(readings.elements.map(\.instant), forKey: .instants)
    try container.encode(readings.elements.map(\.value), forKey: .values)
  }
}

extension RollingWindow: Decodable where Value: Decodable {
  /// Decodes a window.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if the instants do not rise, or if there are not as many values as
  ///   instants.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(over: try container.decode(Duration.self, forKey: .duration))
    let instants = try container.decode([Duration].self, forKey: .instants)
    let values = try container.decode([Value].self, forKey: .values)
    guard instants.count == values.count, zip(instants, instants.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      let problem = "The instants do not rise, or there are not as many values."
      throw DecodingError.dataCorruptedError(forKey: .instants, in: container, debugDescription: problem)
    }
    for (instant, value) in zip(instants, values) { insert(value, at: instant) }
    if let now = try container.decodeIfPresent(Duration.self, forKey: .now) { advance(to: now) }
  }
}
