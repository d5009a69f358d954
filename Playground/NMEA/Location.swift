/// The circle of directions, clockwise from north.
enum Compass {
  /// The same direction as an angle of at least 0 and less than 360 degrees.
  static func normalized(degrees: Double) -> Double {
    let remainder = degrees.truncatingRemainder(dividingBy: 360)
    let positive = remainder < 0 ? remainder + 360 : remainder
    // A tiny negative angle rounds up to 360 itself.
    return positive < 360 ? positive : 0
  }
}

/// A position on the earth, in degrees; north and east are positive.
struct Location: Codable, Equatable, Sendable {
  var latitude: Double
  var longitude: Double
}
