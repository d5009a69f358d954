/// An alarm with two thresholds, so that a value that wavers about one of them does not raise and clear it again and
/// again: a field of a state.
///
///     var tooHot = Hysteresis(raisesAt: 80.0, clearsAt: 70.0)      // too high from 80 on, until it is below 70
///     var tooLow = Hysteresis(raisesAt: 20.0, clearsAt: 30.0)      // too low from 20 on, until it is above 30
///
///     mutating func apply(_ reading: Reading) {
///       tooHot.update(with: reading.temperature)
///     }
///
/// Which of the two thresholds is greater says which kind of alarm it is. If they are the same, the alarm is one of
/// values that are too high. A value that cannot be compared, such as one that is not a number, changes nothing.
///
/// - Complexity: every member is O(1).
public struct Hysteresis<Value: Comparable & Sendable>: Sendable {
  /// The threshold at which the alarm is raised.
  public let raisesAt: Value

  /// The threshold beyond which the alarm is cleared.
  public let clearsAt: Value

  /// Is `true` while the alarm is raised.
  public private(set) var isRaised = false

  /// Makes an alarm that is not raised.
  ///
  /// - Parameters:
  ///   - raisesAt: a value that is this or further raises the alarm.
  ///   - clearsAt: a value that is back on the other side of this clears it.
  public init(raisesAt: Value, clearsAt: Value) {
    self.raisesAt = raisesAt
    self.clearsAt = clearsAt
  }

  /// Raises or clears the alarm, as the value says.
  ///
  /// - Returns: `true` if that changed it.
  @discardableResult
  public mutating func update(with value: Value) -> Bool {
    let isTooHigh = raisesAt >= clearsAt
    let raises = isTooHigh ? value >= raisesAt : value <= raisesAt
    let clears = isTooHigh ? value < clearsAt : value > clearsAt
    let before = isRaised
    if raises { isRaised = true } else if clears { isRaised = false }
    return isRaised != before
  }
}

extension Hysteresis: Equatable where Value: Equatable {}
extension Hysteresis: Hashable where Value: Hashable {}
extension Hysteresis: Encodable where Value: Encodable {}
extension Hysteresis: Decodable where Value: Decodable {}
