public import Aggregate
public import Streams

/// Records what happens, and why.
///
///     let insight = Insight()
///     let recorder = insight.record(geo, as: "geo", last: 512)
///     print(recorder.recording.entries)
///
/// All that one insight records has one clock.
///
/// - Concurrency: every member may be called from any thread.
public final class Insight: Sendable {
  let clock: TapeClock

  /// Makes an insight that records nothing yet.
  ///
  /// - Parameter scheduler: the source of the times of events.
  public init(on scheduler: some Scheduler = .suspending) {
    clock = TapeClock(scheduler)
  }

  /// Records the newest events of an aggregator, until the recorder is released.
  ///
  /// - Parameters:
  ///   - aggregator: the aggregator. It is not kept alive.
  ///   - name: the name of its lane.
  ///   - count: the number of events that are kept.
  ///   - keepsBase: whether the state before them is kept. Without it each event costs one `apply` less, and the
  ///     recording has no ``Recording/initial``.
  public func record<State>(
    _ aggregator: Aggregator<State>,
    as name: String,
    last count: Int = 512,
    keepingBase keepsBase: Bool = true
  ) -> FlightRecorder<State> {
    FlightRecorder(
      AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepsBase, clock: clock),
      of: self
    )
  }
}
