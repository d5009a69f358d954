/// How readings are written where a run is explained or looked at.
extension Heading: CustomStringConvertible {
  var description: String { "\(Compass.text(degrees: degrees)) \(reference.rawValue)" }
}

extension Wind: CustomStringConvertible {
  var description: String {
    "\(speed.formatted(decimals: 1)) m/s from \(Compass.text(degrees: angle)) \(reference.rawValue)"
  }
}

extension Location: CustomStringConvertible {
  var description: String { "\(latitude.formatted(decimals: 6))° \(longitude.formatted(decimals: 6))°" }
}

extension HeadingReading: CustomStringConvertible {
  var description: String {
    [
      "\(instrument)",
      trueDegrees.map { "true \(Compass.text(degrees: $0))" },
      magneticDegrees.map { "magnetic \(Compass.text(degrees: $0))" },
      variation.map { "variation \($0.formatted(decimals: 1))°" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

extension Fix: CustomStringConvertible {
  var description: String {
    [
      talker,
      location.map { "\($0)" },
      quality.map { "\($0)" },
      speed.map { "speed \($0.formatted(decimals: 2)) m/s" },
      course.map { "course \(Compass.text(degrees: $0))" },
      variation.map { "variation \($0.formatted(decimals: 1))°" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

extension FixQuality: CustomStringConvertible {
  var description: String { kind.rawValue + (satellites.map { ", \($0) satellites" } ?? "") }
}

extension DepthReading: CustomStringConvertible {
  var description: String { "\(form) \(metres.formatted(decimals: 1)) m" }
}
