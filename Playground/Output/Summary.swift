import RASPInsight

extension Presenter {
  /// Writes what the run came to: the last line of JSON, or some lines of text.
  ///
  /// - Parameters:
  ///   - fields: the final value of each field.
  ///   - json: what a scenario has to add to the summary, before the counts.
  ///   - state: the final state.
  ///   - lines: as `json`, for people.
  func summarize(_ fields: [FieldChange], _ report: Report, json: [JSON.Member], state: JSON, lines: [String]) {
    guard style != .json else {
      let counts: [JSON.Member] = [
        JSON.Member(key: "events", value: report.events.json),
        JSON.Member(key: "snapshots", value: .integer(Int64(report.snapshots))),
        JSON.Member(key: "changes", value: report.changes.json),
        JSON.Member(key: "state", value: state),
      ]
      output.line(JSON.object(["summary": .object(json + counts)]).text)
      return
    }

    let values = ["Final state"] + fields.map { "  " + $0.line }
    let counts = [
      "Summary",
      "  events       " + report.events.text,
      "  snapshots    \(report.snapshots)",
      "  changes      " + report.changes.text,
    ]
    output.line(([""] + values + counts + lines.map { "  " + $0 }).joined(separator: "\n"))
  }
}
