import RASPInsight

/// A new value of a selected field, in every form an output asks for.
struct FieldChange: Equatable, Sendable {
  /// The name of the field.
  let field: String
  /// For people, with the unit, on one line; `nil` when the value is not known, or no longer.
  let text: String?
  /// What a curve draws of it.
  let level: Double?
  /// The level of a full bar; `nil` for the greatest one that is drawn.
  let top: Double?
  /// For programs: the object on the line of JSON, without the name.
  let members: [JSON.Member]

  init(
    _ field: String,
    text: String?,
    level: Double? = nil,
    top: Double? = nil,
    members: KeyValuePairs<String, JSON>
  ) {
    self.field = field
    // The names of sensors come from outside, and may hold anything.
    self.text = text?.printable
    self.level = level
    self.top = top
    self.members = members.map { JSON.Member(key: $0.key, value: $0.value) }
  }

  /// `{"field":"depth","value":5.3}`
  var json: JSON { .object([JSON.Member(key: "field", value: .string(field))] + members) }

  /// `depth        5.3 m`
  var line: String { field.fitted(to: 12) + " " + (text ?? "unknown") }
}

/// The levels that a field had, one for each step of time, the newest last.
struct Curve: Equatable, Sendable {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  /// More than a terminal has columns.
  private static let capacity = 512

  private var levels: [Double?] = []

  /// Adds the level of a step; `nil`, and what is not finite, is a gap.
  mutating func append(_ level: Double?) {
    levels.append(level.flatMap { $0.isFinite ? $0 : nil })
    if levels.count > Self.capacity { levels.removeFirst() }
  }

  /// The newest levels as bars, one a column, from zero to the top: `▁▂▅▇█▆`.
  func text(columns: Int, top: Double?) -> String {
    let shown = levels.suffix(max(0, columns))
    let top = top ?? shown.compactMap { $0 }.max() ?? 0
    return String(
      shown.map { level in
        guard let level else { return " " }
        let height = top > 0 ? min(1, max(0, level / top)) : 0
        return Self.bars[min(Self.bars.count - 1, Int(height * Double(Self.bars.count)))]
      }
    )
  }
}
