public import Aggregate
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
    @inline(__always)
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

  /// The events, from the oldest to the newest. An event that the state refused is among them: it is refused again when
  /// it is folded again.
  ///
  /// Their numbers rise by one. In the recording of a row there are gaps between them. In one from a file there may be,
  /// and several entries may have one number, if events of an older version were converted.
  public let entries: [Entry]

  /// The state at the moment at which the recording was taken.
  public let state: State

  /// The instant from which on the recording has every event, since the origin of the clock.
  public let start: Duration

  /// The instant at which the recording was taken, since the origin of the clock.
  public let end: Duration

  /// The wall time at which the clock stood at zero, since 1970 (UTC); `nil` if the clock is not the system's, or if it
  /// is not known. Times are added to it to tell when something happened: see ``wallTime(of:)``.
  public internal(set) var clockOrigin: Duration?

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
  ///   - clockOrigin: the wall time at which the clock stood at zero, since 1970.
  public init(
    name: String,
    lane: Int = 0,
    initial: State?,
    entries: [Entry],
    state: State,
    start: Duration? = nil,
    end: Duration? = nil,
    clockOrigin: Duration? = nil
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
    self.clockOrigin = clockOrigin
  }
}

extension Recording {
  /// The entry with a number; `nil` if it is not a part of the recording. Of several with one number, the first.
  ///
  /// - Complexity: O(log n).
  public subscript(number: Int) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? entries[low] : nil
  }

  /// The wall time of an entry, since 1970 (UTC); `nil` if it is not known.
  ///
  /// It is as right as the clock of the system was when the recording was taken. It orders nothing.
  public func wallTime(of entry: Entry) -> Duration? { clockOrigin.map { $0 + entry.time } }

  /// The identity of an entry, as what it brought about carries it.
  public func cause(of entry: Entry) -> Cause { Cause(lane: lane, number: entry.number) }
}
