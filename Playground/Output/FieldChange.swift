import RASPInsight

/// A new value of a selected field, in every form an output asks for.
struct FieldChange: Equatable, Sendable {
  /// The name of the field.
  let field: String
  /// For people, with the unit, on one line; `nil` when the value is not known, or no longer.
  let text: String?
  /// What a graph draws of it.
  let level: Double?
  let scale: Scale
  /// For programs: the object on the line of JSON, without the name.
  let members: [JSON.Member]

  init(
    _ field: String,
    text: String?,
    level: Double?,
    scale: Scale = .amount,
    members: KeyValuePairs<String, JSON>
  ) {
    self.field = field
    // The names of processes and sensors come from outside, and may hold anything.
    self.text = text?.printable
    self.level = level
    self.scale = scale
    self.members = members.map { JSON.Member(key: $0.key, value: $0.value) }
  }

  /// `{"field":"depth","value":5.3}`
  var json: JSON {
    .object([JSON.Member(key: "field", value: .string(field))] + members)
  }

  /// `depth        5.3 m`
  var line: String {
    field.padded(to: 12) + " " + (text ?? "unknown")
  }
}

extension [FieldChange] {
  /// The texts of the known fields by their names.
  var texts: [String: String] {
    Dictionary(compactMap { change in change.text.map { (change.field, $0) } }) { _, last in last }
  }
}
