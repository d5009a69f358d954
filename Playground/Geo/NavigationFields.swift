import RASPInsight

/// How the fields of `NavigationState` are shown.
extension FieldChange {
  /// The names of the fields, in the order in which they are shown.
  static let navigationFields = ["heading", "location", "speed", "course", "depth", "wind"]

  static func heading(_ heading: Heading?) -> FieldChange {
    FieldChange(
      "heading",
      text: heading.map { "\($0)" },
      members: ["value": .degrees(heading?.degrees), "reference": .string(heading?.reference.rawValue)]
    )
  }

  static func location(_ location: Location?) -> FieldChange {
    FieldChange(
      "location",
      text: location.map { "\($0)" },
      // A ten-millionth of a degree of latitude is a centimetre.
      members: [
        "latitude": .number(location?.latitude, decimals: 7), "longitude": .number(location?.longitude, decimals: 7),
      ]
    )
  }

  static func speed(_ speed: Double?) -> FieldChange {
    FieldChange("speed", text: speed.map(knotsText), level: speed, members: ["value": .number(speed, decimals: 3)])
  }

  static func course(_ course: Double?) -> FieldChange {
    FieldChange("course", text: course.map(Compass.text), members: ["value": .degrees(course)])
  }

  static func depth(_ depth: Double?) -> FieldChange {
    FieldChange(
      "depth",
      text: depth.map { "\($0.formatted(decimals: 1)) m" },
      level: depth,
      members: ["value": .number(depth, decimals: 2)]
    )
  }

  static func wind(_ wind: Wind?) -> FieldChange {
    FieldChange(
      "wind",
      text: wind.map { "\($0)" },
      level: wind?.speed,
      members: [
        "angle": .degrees(wind?.angle), "speed": .number(wind?.speed, decimals: 3),
        "reference": .string(wind?.reference.rawValue),
      ]
    )
  }
}

extension NavigationState {
  /// All fields as they are.
  var changes: [FieldChange] {
    [.heading(heading), .location(location), .speed(speed), .course(course), .depth(depth), .wind(wind)]
  }

  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<NavigationState>] = [
    ExplainedField("heading", \.heading),
    ExplainedField("location", \.location),
    ExplainedField("speed", \.speed),
    ExplainedField("course", \.course),
    ExplainedField("depth", \.depth),
    ExplainedField("wind", \.wind),
  ]
}

extension JSON {
  /// Rounding may complete the circle.
  fileprivate static func degrees(_ value: Double?) -> JSON {
    .number(value.map { Compass.normalized(degrees: $0.rounded(decimals: 2)) }, decimals: 2)
  }
}
