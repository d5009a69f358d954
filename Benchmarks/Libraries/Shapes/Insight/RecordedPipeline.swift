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

/// The same without the state before the events.
final class PipelineWithEventsRecorded: NavigationPipeline, Sendable {
  private let pipeline: AggregatorPipeline
  private let recorder: FlightRecorder<NavigationState>

  init(_ tally: Tally) {
    pipeline = AggregatorPipeline(tally)
    recorder = Insight().record(pipeline.aggregator, as: "navigation", last: 512, keepingBase: false)
  }

  @inline(never)
  func send(heading: Int) { pipeline.send(heading: heading) }

  @inline(never)
  func send(speed: Double) { pipeline.send(speed: speed) }
}

extension Shape {
  /// The pipeline of this package, recorded with causes and times.
  static let recordedPipeline = navigation(
    "pipeline-recorded",
    events: 100_000,
    RecordedPipeline.self,
    // Each selection delivers the present value first.
    initialDeliveries: 3...3
  )

  /// The same without the state before the events.
  static let pipelineWithEventsRecorded = navigation(
    "pipeline-recorded-without-base",
    events: 100_000,
    PipelineWithEventsRecorded.self,
    initialDeliveries: 3...3
  )
}
