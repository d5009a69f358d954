public import Streams

/// A state, the events that were folded into it since, and what caused each of them: a part of the history of one
/// aggregator, as a value.
///
/// ```
///   initial ──▶ entries[0] ──▶ entries[1] ──▶ … ──▶ state
/// ```
///
/// Everything else is computed from it: each state between, and which event changed a field. Nothing is sent and no
/// subscriber is called for it, because a recording holds values only.
public struct Recording<State: AggregateState>: Sendable {
  /// One event, as it was folded.
  public struct Entry: Sendable {
    /// The number of the event. The first event after the recording had begun has the number 1.
    public let number: Int

    /// The event.
    public let event: State.Event

    /// What brought the event about.
    public let cause: Cause

    /// The time at which it was folded, since the origin of the recorder's clock.
    public let time: Duration

    /// Makes an entry.
    public init(number: Int, event: State.Event, cause: Cause = .unknown, time: Duration = .zero) {
      self.number = number
      self.event = event
      self.cause = cause
      self.time = time
    }
  }

  /// The name of what was recorded.
  public let name: String

  /// The number of the lane that the causes of others have if they name an event of this recording; 0 for none.
  public let lane: Int

  /// The state before the first entry; `nil` if only events were kept.
  public let initial: State?

  /// The events, from the oldest to the newest. Their numbers rise by one. An event that the state refused is among
  /// them: it is refused again when it is folded again.
  public let entries: [Entry]

  /// The state at the moment at which the recording was taken.
  public let state: State

  /// The instant from which on the recording has every event, since the origin of the clock.
  public let start: Duration

  /// The instant at which the recording was taken, since the origin of the clock.
  public let end: Duration

  /// Makes a recording.
  ///
  /// - Parameters:
  ///   - name: the name of what was recorded.
  ///   - lane: the number of its lane.
  ///   - initial: the state before the first entry.
  ///   - entries: the events.
  ///   - state: the state after the last entry.
  ///   - start: the instant from which on it has every event; without it, the time of the first one.
  ///   - end: the instant at which it was taken; without it, the time of the last event.
  public init(
    name: String,
    lane: Int = 0,
    initial: State?,
    entries: [Entry],
    state: State,
    start: Duration? = nil,
    end: Duration? = nil
  ) {
    self.name = name
    self.lane = lane
    self.initial = initial
    self.entries = entries
    self.state = state
    let newest = entries.last?.time ?? start ?? .zero
    self.start = start ?? entries.first?.time ?? .zero
    // The clock of events may be a millisecond ahead of the one that was asked here.
    self.end = max(end ?? newest, newest)
  }
}

extension Recording {
  /// The entry with a number; `nil` if it is not a part of the recording.
  ///
  /// - Complexity: O(1).
  public subscript(number: Int) -> Entry? {
    guard let first = entries.first, number >= first.number, number - first.number < entries.count else { return nil }
    return entries[number - first.number]
  }

  /// The identity of an entry, as what it brought about carries it.
  public func cause(of entry: Entry) -> Cause { Cause(lane: lane, number: entry.number) }
}
