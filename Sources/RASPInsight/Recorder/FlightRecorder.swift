public import Aggregate

/// Keeps the newest events of one aggregator, until it is released.
///
/// - Concurrency: every member may be called from any thread, at any time, also while a subscriber of the aggregator hangs.
public final class FlightRecorder<State: AggregateState>: Sendable {
  private let tape: AggregatorTape<State>
  private let insight: Insight

  init(_ tape: AggregatorTape<State>, of insight: Insight) {
    self.tape = tape
    self.insight = insight
  }

  deinit { tape.end() }

  /// What has been recorded.
  ///
  /// - Complexity: O(n), n being the number of events.
  public var recording: Recording<State> { tape.recording }
}
