public import Aggregate
@_exported public import RASPHistory
public import Testing

/// Tests a recording as a pure fold: from the state before it, with all of its events. What its events caused then,
/// effects among them, does not happen again: only the state is folded.
///
///     given(incident).then { $0.heading = 1 }
///
/// The states in between are tested as any other state:
///
///     let before = try #require(incident.state(before: 1_204))
///     given(before).when(.heading(91)).then { $0.heading = 91 }
///
/// - Parameters:
///   - recording: the recording. If it has no initial state, an issue of the running test is reported.
///   - sourceLocation: where to report.
/// - Returns: the state after the events, ready to be looked at or to be given more events.
/// - Complexity: one `apply` per event.
public func given<State: AggregateState>(
  _ recording: Recording<State>,
  sourceLocation: SourceLocation = #_sourceLocation
) -> StateUnderTest<State> {
  guard let initial = recording.initial else {
    Reporter.current.report(
      "the recording \"\(recording.name)\" has events only; record with `keepingBase: true`",
      at: sourceLocation
    )
    return given(recording.state)
  }
  return given(initial).when(recording.entries.lazy.map(\.event))
}
