import Foundation

/// The circle of directions, clockwise from north.
enum Compass {
  /// The same direction as an angle of at least 0 and less than 360 degrees.
  static func normalized(degrees: Double) -> Double {
    let remainder = degrees.truncatingRemainder(dividingBy: 360)
    let positive = remainder < 0 ? remainder + 360 : remainder
    // A tiny negative angle rounds up to 360 itself.
    return positive < 360 ? positive : 0
  }

  /// `359.9°`: rounding may complete the circle.
  static func text(degrees: Double) -> String {
    normalized(degrees: degrees.rounded(decimals: 1)).formatted(decimals: 1) + "°"
  }
}

/// A position on the earth, in degrees; north and east are positive.
struct Location: Codable, Equatable, Sendable, CustomStringConvertible {
  var latitude: Double
  var longitude: Double

  /// `52°51.009′ N  005°18.817′ E`
  var description: String {
    text(ofCoordinate: latitude, width: 2) + (latitude < 0 ? "S" : "N") + "  "
      + text(ofCoordinate: longitude, width: 3) + (longitude < 0 ? "W" : "E")
  }

  private func text(ofCoordinate coordinate: Double, width: Int) -> String {
    // In thousandths of a minute, so that rounding carries into the degrees.
    let (degrees, rest) = Int((coordinate.magnitude * 60_000).rounded()).quotientAndRemainder(dividingBy: 60_000)
    return String(format: "%0\(width)d°%06.3f′ ", degrees, Double(rest) / 1_000)
  }
}

/// Reading the fields of a sentence. Positions count from zero, after the address.
///
/// A field that is missing, empty or not what it should be is `nil`: a device that does not know a value leaves
/// its field empty, and what cannot be understood is no better than what is not known.
extension Sentence {
  /// The field at `index`, unless it is missing or empty.
  func text(_ index: Int) -> String? {
    guard fields.indices.contains(index), !fields[index].isEmpty else { return nil }
    return fields[index]
  }

  /// A number in plain decimal notation.
  func number(_ index: Int) -> Double? {
    text(index).flatMap(Self.number)
  }

  /// An angle of the compass in degrees, at least 0 and less than 360.
  func angle(_ index: Int) -> Double? {
    guard let degrees = number(index), (0...360).contains(degrees) else { return nil }
    return Compass.normalized(degrees: degrees)
  }

  /// An angle with its direction in the field after it, as in `1.3,E`: east is positive. In degrees.
  func eastward(_ index: Int) -> Double? {
    guard let degrees = number(index), (0...180).contains(degrees) else { return nil }
    switch text(index + 1) {
    case "E": return degrees
    case "W": return -degrees
    default: return nil
    }
  }

  /// A latitude and a longitude, each followed by its hemisphere: `5251.0094,N,00518.8172,E`.
  func location(_ index: Int) -> Location? {
    guard
      let latitude = coordinate(index, positive: "N", negative: "S", limit: 90),
      let longitude = coordinate(index + 2, positive: "E", negative: "W", limit: 180)
    else { return nil }
    return Location(latitude: latitude, longitude: longitude)
  }

  /// A time of day in universal time, `hhmmss` with or without a fraction, as time since midnight.
  func timeOfDay(_ index: Int) -> Duration? {
    guard let value = number(index), (0..<240_000).contains(value) else { return nil }
    let (whole, fraction) = (Int(value), value - value.rounded(.down))
    return .seconds(whole / 10_000 * 3600 + whole / 100 % 100 * 60 + whole % 100)
      + .milliseconds((fraction * 1_000).rounded())
  }

  /// An angle in degrees and decimal minutes, `dddmm.mmmm`, and its hemisphere.
  private func coordinate(_ index: Int, positive: String, negative: String, limit: Double) -> Double? {
    guard let value = number(index), (0...limit * 100).contains(value) else { return nil }
    let degrees = (value / 100).rounded(.down)
    let minutes = value - degrees * 100
    let magnitude = degrees + minutes / 60
    guard minutes < 60, magnitude <= limit else { return nil }
    switch text(index + 1) {
    case positive: return magnitude
    case negative: return -magnitude
    default: return nil
    }
  }

  /// Plain decimal notation and nothing else: `Double` by itself also takes `nan`, `0x1p3` and `1e400`.
  private static func number(_ text: String) -> Double? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let isDecimal = digits.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    guard isDecimal, let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
