import Aggregate
import RASPJournal
import Streams

/// The pipeline as a user of this package writes it.
final class AggregatorPipeline: NavigationPipeline, Sendable {
  private let headings: Subject<Int, Never>
  private let speeds: Subject<Double, Never>
  let aggregator: Aggregator<NavigationState>
  private let subscriptions: [Subscription]

  convenience init(_ tally: Tally) {
    let headings = Subject<Int, Never>()
    let speeds = Subject<Double, Never>()
    let aggregator = Aggregator(
      initial: NavigationState(),
      sources: headings.map(NavigationEvent.heading),
      speeds.map(NavigationEvent.speed)
    )
    self.init(tally, headings, speeds, aggregator)
  }

  /// The same with a journal.
  convenience init(_ tally: Tally, continuing journal: Journal<NavigationState>) throws {
    let headings = Subject<Int, Never>()
    let speeds = Subject<Double, Never>()
    let aggregator = try Aggregator(
      continuing: journal,
      sources: headings.map(NavigationEvent.heading),
      speeds.map(NavigationEvent.speed)
    )
    self.init(tally, headings, speeds, aggregator)
  }

  private init(
    _ tally: Tally,
    _ headings: Subject<Int, Never>,
    _ speeds: Subject<Double, Never>,
    _ aggregator: Aggregator<NavigationState>
  ) {
    self.headings = headings
    self.speeds = speeds
    self.aggregator = aggregator
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
    events: 100_000,
    AggregatorPipeline.self,
    // Each selection delivers the present value first.
    initialDeliveries: 3...3
  )
}
