import Aggregate
import Streams

/// The pipeline as a user of this package writes it.
final class AggregatorPipeline: NavigationPipeline, Sendable {
  private let headings = Subject<Int, Never>()
  private let speeds = Subject<Double, Never>()
  let aggregator: Aggregator<NavigationState>
  private let subscriptions: [Subscription]

  init(_ tally: Tally) {
    aggregator = Aggregator(
      initial: NavigationState(),
      sources: headings.map(NavigationEvent.heading),
      speeds.map(NavigationEvent.speed)
    )
    subscriptions = [
      aggregator.select(\.heading).subscribe { _ in tally.increment() },
      aggregator.select(\.speed).subscribe { _ in tally.increment() },
      aggregator.select(\.satellites).subscribe { _ in tally.increment() },
    ]
  }

  @inline(never)
  func send(heading: Int) { headings.send(heading) }

  @inline(never)
  func send(speed: Double) { speeds.send(speed) }
}

extension Shape {
  /// The pipeline of this package: two subjects, an aggregator, three selections with an observer each.
  static let pipeline = navigation(
    "pipeline",
    events: 100_000,
    AggregatorPipeline.self,
    // Each selection delivers the present value first.
    initialDeliveries: 3...3
  )
}
