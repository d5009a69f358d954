import RASPInsight

/// The summary at the end of a run.
extension Presenter {
  func summarize(_ state: SystemState, _ report: Report, _ recording: RecordingOutcome) {
    summarize(
      state.changes,
      report,
      json: recording.json,
      state: .object(state.changes.map { JSON.Member(key: $0.field, value: .object($0.members)) }),
      lines: recording.lines
    )
  }
}

extension SystemState {
  /// All fields as they are.
  var changes: [FieldChange] {
    [
      .processor(processor), .memory(memory), .load(load), .network(network), .temperature(temperatures),
      .processes(processes),
    ]
  }
}
