public import Aggregate
@_exported public import RASPHistory
public import RASPKeyed
public import RASPSupport
public import Streams

/// Records what happens, and why.
///
///     let insight = Insight()
///     let recorder = insight.record(geo, as: "geo", last: 512)
///     print(recorder.why(\.heading))
///
/// All that one insight records has one clock, and is a lane of one ``timeline``. A cause is followed from lane to
/// lane.
///
/// It keeps neither recorders nor what they record alive.
///
/// - Concurrency: every member may be called from any thread.
public final class Insight: Sendable {
  let lanes: LaneList
  @usableFromInline var clock: TapeClock { lanes.clock }

  /// Makes an insight that records nothing yet.
  ///
  /// - Parameter scheduler: the source of the times of events.
  public init(on scheduler: some Scheduler = .suspending) {
    lanes = LaneList(TapeClock(scheduler))
  }

  /// Records the newest events of an aggregator, until the recorder is released.
  ///
  /// An aggregator has one tape. If it is recorded already, the second recorder shares the tape, which is made as long
  /// as the longer one that was asked for, and keeps its name and clock.
  ///
  /// - Parameters:
  ///   - aggregator: the aggregator. It is not kept alive.
  ///   - name: the name of its lane.
  ///   - count: the number of events that are kept.
  ///   - keepsBase: whether the state before them is kept. Without it each event costs one `apply` less, and the
  ///     recording has no `initial`.
  @inlinable
  public func record<State>(
    _ aggregator: Aggregator<State>,
    as name: String,
    last count: Int = 512,
    keepingBase keepsBase: Bool = true
  ) -> FlightRecorder<State> {
    record(AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepsBase, clock: clock))
  }

  /// Records the newest events of the rows of a keyed aggregator, until the recorder is released.
  ///
  ///     let recorder = insight.record(quotes, as: "quotes")
  ///     print(recorder.why(\.price, of: "ACME"))
  ///     let acme = recorder.recording(of: "ACME")             // a recording of one row
  ///
  /// All rows are one lane. Beside events, the tape has the rows that were put in or removed. The states before its
  /// events are kept of the rows that they concern, and of no others.
  ///
  /// If the aggregator is recorded already, the second recorder shares the tape, as with an `Aggregator`.
  ///
  /// - Parameters:
  ///   - aggregator: the keyed aggregator. It is not kept alive.
  ///   - name: the name of its lane.
  ///   - count: the number of events that are kept, of all rows together.
  ///   - keepsBase: whether the states before them are kept. Without them each event costs one `apply` less, and the
  ///     recording has no `initial`.
  @inlinable
  public func record<Key, Row>(
    _ aggregator: KeyedAggregator<Key, Row>,
    as name: String,
    last count: Int = 512,
    keepingBase keepsBase: Bool = true
  ) -> FlightRecorder<RecordedRows<Key, Row>> {
    record(AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepsBase, clock: clock))
  }

  @usableFromInline
  func record<State>(_ tape: AggregatorTape<State>) -> FlightRecorder<State> {
    let recorder = FlightRecorder(tape, beside: lanes)
    lanes.add(recorder)
    return recorder
  }

  /// Records the newest executions of commands of an engine and their events, or the newest actions of a cluster, until
  /// the recorder is released.
  ///
  /// If the source is recorded already, the second recorder shares the tape, with its name, length and clock.
  ///
  /// - Parameters:
  ///   - source: the `Engine` or the `Cluster`. It is not kept alive.
  ///   - name: the name of its lane.
  ///   - count: the number of executions and events, or of actions, that are kept.
  public func record(_ source: some ActivitySource, as name: String, last count: Int = 512) -> ActivityRecorder {
    let recorder = ActivityRecorder(source._activity, as: name, last: count, beside: lanes)
    lanes.add(recorder)
    return recorder
  }
}
