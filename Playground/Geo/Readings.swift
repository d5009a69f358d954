/// Which way the bow points.
struct Heading: Codable, Equatable, Sendable, CustomStringConvertible {
  /// What an angle of the compass is measured from.
  enum Reference: String, Codable, Sendable {
    case `true`, magnetic
  }

  /// At least 0 and less than 360.
  var degrees: Double
  /// Geographic north, or, where the variation is not known, magnetic north.
  var reference: Reference

  var description: String { "\(Compass.text(degrees: degrees)) \(reference.rawValue)" }
}

/// The wind as the masthead sees it.
struct Wind: Codable, Equatable, Sendable, CustomStringConvertible {
  /// What the wind is measured against.
  enum Reference: String, Codable, Sendable {
    /// The moving vessel: the apparent wind, which is what an instrument feels.
    case relative
    /// The water or the ground, calculated: the wind a vessel at rest would feel.
    case `true`
  }

  /// Where it comes from, in degrees clockwise from the bow.
  var angle: Double
  /// In metres per second.
  var speed: Double
  var reference: Reference

  var description: String {
    "\(knotsText(speed)) from \(Compass.text(degrees: angle)) \(reference.rawValue)"
  }
}

/// What one heading sentence (`HDG`, `HDT`, `HDM`) says. Angles in degrees, east positive.
struct HeadingReading: Codable, Equatable, Sendable, CustomStringConvertible {
  /// The instruments, the one to trust least first.
  enum Instrument: Int, Codable, Sendable {
    /// `HDM`: a magnetic compass that does not know the variation.
    case magneticCompass
    /// `HDG`: a compass with its own deviation and variation.
    case compass
    /// `HDT`: a gyro or satellite compass.
    case gyro
  }

  var instrument: Instrument
  /// From geographic north.
  var trueDegrees: Double?
  /// From magnetic north, the compass's own deviation already corrected.
  var magneticDegrees: Double?
  /// From geographic to magnetic north.
  var variation: Double?

  var description: String {
    let angles = [("true", trueDegrees), ("magnetic", magneticDegrees), ("variation", variation)]
    let texts = angles.compactMap { name, angle in angle.map { "\(name) \($0.formatted(decimals: 1))°" } }
    return (["\(instrument)"] + texts).joined(separator: ", ")
  }
}

/// What one sentence of a satellite receiver (`RMC`, `GGA`) says; what it leaves out is `nil`.
struct Fix: Codable, Equatable, Sendable {
  var location: Location?
  /// Over ground, in metres per second.
  var speed: Double?
  /// Over ground, in degrees from geographic north.
  var course: Double?
  /// From geographic to magnetic north, in degrees, east positive.
  var variation: Double?
}

/// What one depth sentence (`DPT`, `DBT`) says.
struct DepthReading: Codable, Equatable, Sendable {
  /// The sentences, the one to trust least first: `DPT` is the newer form, of which `DBT` is a conversion.
  enum Form: Int, Codable, Sendable {
    case dbt, dpt
  }

  var form: Form
  /// Below the transducer, in metres.
  var metres: Double
}

/// A knot, in metres per second.
let knot = 1852.0 / 3600

/// `10.0 kn`, of a speed in metres per second.
func knotsText(_ speed: Double) -> String { (speed / knot).formatted(decimals: 1) + " kn" }
