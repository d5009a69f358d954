import Aggregate
import Streams

/// The pipeline as a user of this package writes it.
final class AggregatorPipeline: NavigationInput, Sendable {
  let headings = Subject<Int, Never>()
  let speeds = Subject<Double, Never>()
  let aggregator: Aggregator<NavigationState>
  let subscriptions: [Subscription]

  init(_ tally: Tally) {
    aggregator = Aggregator(
      initial: NavigationState(),
      sources: headings.observable.map(NavigationEvent.heading),
      speeds.observable.map(NavigationEvent.speed)
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
  static let pipeline = Shape("pipeline", events: 100_000) { events in
    let tally = Tally()
    let pipeline = AggregatorPipeline(tally)
    return Run {
      pipeline.sendAlternately(events)
    } proofs: {
      // Each selection delivers the present value first.
      [
        Proof("deliveries", tally.count, is: events + 3),
        Proof("subscriptions", pipeline.subscriptions.count { $0.isActive }, is: 3),
      ]
    }
  }
}
