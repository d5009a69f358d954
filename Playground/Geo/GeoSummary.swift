import RASPInsight

/// The summary at the end of a run.
extension Presenter {
  func summarize(_ state: NavigationState, _ report: Report, _ recording: RecordingOutcome, in units: Units) {
    let reception = state.reception
    summarize(
      state.changes(in: units),
      report,
      json: [
        JSON.Member(key: "sentences", value: .integer(Int64(reception.sentences))),
        JSON.Member(key: "rejected", value: .integer(Int64(reception.rejected))),
        JSON.Member(key: "unknown", value: .integer(Int64(reception.unknown))),
        JSON.Member(key: "empty", value: .integer(Int64(reception.empty))),
        JSON.Member(key: "noise", value: .integer(Int64(reception.noise))),
        JSON.Member(key: "noiseBytes", value: .integer(Int64(reception.noiseBytes))),
      ] + recording.json,
      state: state.json,
      lines: [
        "sentences".padded(to: 12)
          + " \(reception.sentences), of which \(reception.unknown) of unknown kinds "
          + "and \(reception.empty) without a value",
        "rejected".padded(to: 12) + " \(reception.rejected), of which \(reception.damaged) by their checksum "
          + "and \(reception.misshapen) by their shape",
        "noise".padded(to: 12) + " \(reception.noise) other lines or parts of them, \(reception.noiseBytes) bytes",
      ] + recording.lines
    )
  }
}

extension NavigationState {
  /// All fields as they are.
  func changes(in units: Units) -> [FieldChange] {
    [
      .heading(heading), .location(location, in: units), .fix(quality), .speed(speed, in: units), .course(course),
      .depth(depth), .wind(wind, in: units),
    ]
  }
}
