/// The fields of a scenario on a terminal, redrawn in place: one line each, with its recent past.
struct Dashboard: Equatable, Sendable {
  private struct Row: Equatable, Sendable {
    var text: String?
    var sparkline: Sparkline
  }

  private let title: String
  private let fields: [String]
  private var rows: [String: Row] = [:]

  init(title: String, fields: [String], sparklineWidth: Int = 32) {
    self.title = title
    self.fields = fields
    for field in fields { rows[field] = Row(sparkline: Sparkline(width: sparklineWidth)) }
  }

  mutating func show(_ change: FieldChange) {
    rows[change.field]?.text = change.text
    rows[change.field]?.sparkline.append(change.level)
  }

  /// The lines of the picture, none wider than `width`: a line that wraps could not be drawn over.
  func lines(width: Int) -> [String] {
    let body = fields.map { field in
      let row = rows[field]
      return "  " + field.padded(to: 12) + " " + (row?.text ?? "–").padded(to: 34) + " "
        + (row?.sparkline.text ?? "")
    }
    return ([title, ""] + body).map { String($0.prefix(max(0, width))) }
  }
}
