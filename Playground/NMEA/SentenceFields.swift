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

  /// A number, if the field after it names the expected unit, as in `5.4,M`.
  func number(_ index: Int, unit: String) -> Double? {
    text(index + 1) == unit ? number(index) : nil
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
    guard
      let value = number(index), (0..<1_000_000).contains(value),
      let digits = text(index)?.utf8.prefix(6), digits.count == 6, !digits.contains(UInt8(ascii: "."))
    else { return nil }
    let milliseconds = Int(value * 1000 + 0.5)
    let (hours, minutes, seconds) = (
      milliseconds / 10_000_000, milliseconds / 100_000 % 100, milliseconds / 1000 % 100
    )
    // A leap second is the sixty-first of its minute.
    guard hours < 24, minutes < 60, seconds <= 60 else { return nil }
    return .seconds(hours * 3600 + minutes * 60 + seconds) + .milliseconds(milliseconds % 1000)
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
