import RASPInsight

/// The summary at the end of a run.
extension Presenter {
  func summarize(_ state: SystemState, _ report: Report, _ recording: RecordingOutcome) {
    let fields: [FieldChange] = [
      .processor(state.processor), .memory(state.memory), .load(state.load), .network(state.network),
      .temperature(state.temperatures),
    ]
    summarize(
      fields,
      report,
      json: recording.json,
      state: .object(fields.map { JSON.Member(key: $0.field, value: .object($0.members)) }),
      lines: recording.lines
    )
  }
}
