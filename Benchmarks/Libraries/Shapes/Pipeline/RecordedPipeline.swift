import RASPInsight

/// The pipeline, with a recorder of its newest events.
final class RecordedPipeline: NavigationPipeline, Sendable {
  private let pipeline: AggregatorPipeline
  private let recorder: FlightRecorder<NavigationState>

  init(_ tally: Tally) {
    pipeline = AggregatorPipeline(tally)
    recorder = Insight().record(pipeline.aggregator, as: "navigation", last: 512)
  }

  @inline(never)
  func send(heading: Int) { pipeline.send(heading: heading) }

  @inline(never)
  func send(speed: Double) { pipeline.send(speed: speed) }
}

extension Shape {
  /// The pipeline of this package, recorded with causes and times.
  static let recordedPipeline = navigation(events: 100_000, RecordedPipeline.self, initialDeliveries: 3...3)
}
