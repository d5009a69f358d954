public import Aggregate
public import RASPHistory
import RASPKeyed

/// Keeps the newest events of one aggregator or keyed aggregator, until it is released.
///
/// - Concurrency: every member may be called from any thread, at any time, also while a subscriber of the aggregator
///   hangs.
public final class FlightRecorder<State: AggregateState>: Sendable {
  private let tape: AggregatorTape<State>
  private let lanes: LaneList

  init(_ tape: AggregatorTape<State>, beside lanes: LaneList) {
    self.tape = tape
    self.lanes = lanes
  }

  deinit { tape.end() }

  /// What has been recorded.
  ///
  /// From inside `apply` it has no events, because the state is being changed, and the read is reported once. A debug
  /// build also folds the events again, and reports an `apply` that leads to another state.
  ///
  /// - Concurrency: the aggregator stands still while the events are copied, and so does who sends to it: for about ten
  ///   milliseconds with 100,000 events.
  /// - Complexity: O(n), n being the number of events. While the recording is alive, the next event that falls off the
  ///   tape copies the collections that it changes.
  public var recording: Recording<State> { tape.recording }

  /// Explains the value of a field: the event that gave it this value, and what brought that about.
  ///
  ///     print(recorder.why(\.heading))
  ///
  /// ```
  /// geo.heading = 91.0, was 359.0
  ///   by geo #1204 .heading(91.0)                     12.120 s
  ///   by geo #1189 .location(…)                       12.100 s
  ///   cause unknown: it came from outside, or on a way that carries no causes
  /// ```
  ///
  /// - Complexity: one `apply` and one read for each event on the tape, and one `apply` for each event of each lane
  ///   that a cause leads to.
  public func why<Field: Equatable & Sendable>(_ keyPath: any KeyPath<State, Field> & Sendable) -> Explanation {
    why(StateSelector(keyPath))
  }

  /// Explains the value of a field that cannot be compared. An event counts as a change of it if the text of the value
  /// differs after it, or if the field is another object.
  @_disfavoredOverload
  public func why<Field: Sendable>(_ keyPath: any KeyPath<State, Field> & Sendable) -> Explanation {
    why(StateSelector(keyPath))
  }

  /// Explains what a selector reads. Values are compared as a selection compares them.
  public func why<Reading: StateReading>(_ reading: Reading) -> Explanation where Reading.State == State {
    Explanation(of: reading.selector, in: recording, by: lanes.present)
  }

  /// Explains an event: what brought it about.
  ///
  /// - Parameter number: the number of the event, as in `Recording`.
  /// - Complexity: one `apply` for each event of each lane that a cause leads to.
  public func why(event number: Int) -> Explanation {
    Explanation(ofEvent: number, in: recording, by: lanes.present)
  }
}

extension FlightRecorder {
  /// Takes what has been recorded of one row of a keyed aggregator; see `Recording.row(of:)`.
  ///
  /// - Returns: `nil` if there is no such row, and none has been removed in the time of the recording.
  /// - Complexity: O(n), n being the number of events of all rows.
  public func recording<Key, Row>(of key: Key) -> Recording<Row>? where State == RecordedRows<Key, Row> {
    tape.recording(with: key).row(of: key)
  }

  /// Explains the value of a field of a row: the event that gave it this value, and what brought that about.
  ///
  ///     print(recorder.why(\.price, of: "ACME"))
  ///
  /// ```
  /// quotes["ACME"].price = 12.5, was 12.0
  ///   by quotes #17 ["ACME"] .price(12.5)  3.250 s
  ///   by feed #4 .opened                   3.250 s
  ///   cause unknown: it came from outside, or on a way that carries no causes
  /// ```
  ///
  /// A row that is not there has the value `nil`.
  ///
  /// - Complexity: as for a plain field, n being the number of events of all rows.
  public func why<Key, Row, Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<Row, Field> & Sendable,
    of key: Key
  ) -> Explanation where State == RecordedRows<Key, Row> {
    why(StateSelector(keyPath), of: key)
  }

  /// Explains the value of a field of a row that cannot be compared. An event counts as a change of it if the text of
  /// the value differs after it, or if the field is another object.
  @_disfavoredOverload
  public func why<Key, Row, Field: Sendable>(
    _ keyPath: any KeyPath<Row, Field> & Sendable,
    of key: Key
  ) -> Explanation where State == RecordedRows<Key, Row> {
    why(StateSelector(keyPath), of: key)
  }

  /// Explains what a selector reads of a row. Values are compared as a selection compares them.
  public func why<Key, Row, Reading: StateReading>(
    _ reading: Reading,
    of key: Key
  ) -> Explanation where State == RecordedRows<Key, Row>, Reading.State == Row {
    Explanation(of: reading.selector.inRow(of: key), in: tape.recording(with: key), by: lanes.present)
  }
}

extension FlightRecorder: RecordedLane {
  var number: Int { tape.lane }

  var history: any LaneHistory { recording }
}
