public import Aggregate

/// What is taken out of a recording before it leaves the memory of the process: positions, names, secrets.
///
/// What an event has told is in the states, too. So a redaction has two closures, and none of them can be left out.
///
/// ```swift
/// let anonymous = Redaction<GeoState> { $0.withoutPosition } event: { $0.withoutPosition }
/// ```
public struct Redaction<State: AggregateState>: Sendable {
  private let state: @Sendable (State) -> State
  private let event: @Sendable (State.Event) -> State.Event

  /// Makes a redaction.
  ///
  /// - Parameters:
  ///   - state: gives a state without what is secret. It is called for the state before the first event and for that
  ///     after the last one.
  ///   - event: gives an event without what is secret.
  public init(
    state: @escaping @Sendable (State) -> State,
    event: @escaping @Sendable (State.Event) -> State.Event
  ) {
    self.state = state
    self.event = event
  }

  func callAsFunction(_ recording: Recording<State>) -> Recording<State> {
    Recording(
      name: recording.name,
      lane: recording.lane,
      initial: recording.initial.map(state),
      entries: recording.entries.map { entry in
        Recording.Entry(number: entry.number, event: event(entry.event), cause: entry.cause, time: entry.time)
      },
      state: state(recording.state),
      start: recording.start,
      end: recording.end,
      clockOrigin: recording.clockOrigin
    )
  }
}

extension Recording {
  /// The same recording without what is secret. Numbers, causes and times stay.
  ///
  /// Folding its events again need not give its state, because the closures change both without knowing of each other.
  ///
  /// - Complexity: O(entries).
  public func redacted(by redaction: Redaction<State>) -> Recording {
    redaction(self)
  }
}
