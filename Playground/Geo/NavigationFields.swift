import Aggregate
import RASPInsight
import Streams

/// How the fields of `NavigationState` are shown.
extension FieldChange {
  /// The names of the fields, in the order in which they are shown.
  static let navigationFields = ["heading", "location", "fix", "speed", "course", "depth", "wind"]

  static func heading(_ heading: Heading?) -> FieldChange {
    FieldChange(
      "heading",
      text: heading.map { "\($0)" },
      level: heading?.degrees,
      scale: .angle,
      members: ["value": .degrees(heading?.degrees), "reference": .string(heading?.reference.rawValue)]
    )
  }

  static func location(_ location: Location?, in units: Units = .nautical) -> FieldChange {
    FieldChange(
      "location",
      text: location.map(units.text(of:)),
      level: nil,
      members: ["latitude": .coordinate(location?.latitude), "longitude": .coordinate(location?.longitude)]
    )
  }

  static func fix(_ quality: FixQuality?) -> FieldChange {
    FieldChange(
      "fix",
      text: quality.map { "\($0)" },
      level: nil,
      members: [
        "quality": .string(quality?.kind.rawValue),
        "satellites": quality?.satellites.map { .integer(Int64($0)) } ?? .null,
      ]
    )
  }

  static func speed(_ speed: Double?, in units: Units = .nautical) -> FieldChange {
    FieldChange(
      "speed",
      text: speed.map { units.text(ofSpeed: $0, decimals: 2) },
      level: speed,
      members: ["value": .metresPerSecond(speed)]
    )
  }

  static func course(_ course: Double?) -> FieldChange {
    FieldChange(
      "course",
      text: course.map(Compass.text),
      level: course,
      scale: .angle,
      members: ["value": .degrees(course)]
    )
  }

  static func depth(_ depth: Double?) -> FieldChange {
    FieldChange(
      "depth",
      text: depth.map { "\($0.formatted(decimals: 1)) m" },
      level: depth,
      members: ["value": .metres(depth)]
    )
  }

  static func wind(_ wind: Wind?, in units: Units = .nautical) -> FieldChange {
    FieldChange(
      "wind",
      text: wind.map {
        "\(units.text(ofSpeed: $0.speed, decimals: 1)) from \(Compass.text(degrees: $0.angle)) \($0.reference.rawValue)"
      },
      level: wind?.speed,
      members: [
        "angle": .degrees(wind?.angle),
        "speed": .metresPerSecond(wind?.speed),
        "reference": .string(wind?.reference.rawValue),
      ]
    )
  }
}

extension NavigationState {
  /// The final state in the summary.
  var json: JSON {
    .object([
      "heading": .degrees(heading?.degrees),
      "headingReference": .string(heading?.reference.rawValue),
      "latitude": .coordinate(location?.latitude),
      "longitude": .coordinate(location?.longitude),
      "fix": .string(quality?.kind.rawValue),
      "speed": .metresPerSecond(speed),
      "course": .degrees(course),
      "depth": .metres(depth),
      "wind": wind.map { .object(FieldChange.wind($0).members) } ?? .null,
    ])
  }
}

extension NavigationState {
  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<NavigationState>] = [
    ExplainedField("heading", \.heading),
    ExplainedField("location", \.location),
    ExplainedField("fix", \.quality),
    ExplainedField("speed", \.speed),
    ExplainedField("course", \.course),
    ExplainedField("depth", \.depth),
    ExplainedField("wind", \.wind),
  ]
}

extension Aggregator<NavigationState> {
  /// The names of the fields whose value has been heard again, to the second of the clock: also when it is as it was.
  var readings: Observable<String, Never> {
    .merge(
      select(\.freshHeading.heardAt).map { _ in "heading" },
      select(\.freshLocation.heardAt).map { _ in "location" },
      select(\.freshQuality.heardAt).map { _ in "fix" },
      select(\.freshSpeed.heardAt).map { _ in "speed" },
      select(\.freshCourse.heardAt).map { _ in "course" },
      select(\.freshDepth.heardAt).map { _ in "depth" },
      select(\.freshWind.heardAt).map { _ in "wind" }
    )
  }
}

/// The precision of what instruments measure; a ten-millionth of a degree of latitude is a centimetre.
extension JSON {
  fileprivate static func degrees(_ value: Double?) -> JSON {
    // Rounding may complete the circle.
    .number(value.map { Compass.normalized(degrees: $0.rounded(decimals: 2)) }, decimals: 2)
  }

  fileprivate static func coordinate(_ value: Double?) -> JSON { .number(value, decimals: 7) }
  fileprivate static func metres(_ value: Double?) -> JSON { .number(value, decimals: 2) }
  fileprivate static func metresPerSecond(_ value: Double?) -> JSON { .number(value, decimals: 3) }
}
