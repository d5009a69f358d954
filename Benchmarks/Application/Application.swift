import Aggregate
import Streams

// An older commit that it is compared with has the keyed rows in Aggregate.
#if canImport(RASPKeyed)
  import RASPKeyed
#endif

/// An application of fixed content: what it costs to build, and the size of its code, is what a client pays for what
/// the libraries put into its module. `Benchmarks/client` measures it. It is not changed, or the figures are not those
/// of before.
public final class Application: Sendable {
  /// What the helmsman does.
  private let wheel = Subject<Int, Never>()
  /// What the sensor on the mast sends.
  private let wind = Subject<Double, Never>()
  private let voyage = Aggregator(initial: Voyage())
  private let harbours = KeyedAggregator(by: \Report.harbour, initial: { _ in Harbour() })
  private let subscriptions = SubscriptionBag()

  /// Makes the application.
  ///
  /// - Parameter show: shows a line to the user.
  public init(show: @escaping @Sendable (String) -> Void) {
    let calm = wind.debounce(for: .milliseconds(200))
    Observable.combineLatest(wheel.observable, calm)
      .subscribe { [voyage] in voyage.send(.steered(heading: $0, wind: $1)) }
      .store(in: subscriptions)
    voyage.select(\.heading).subscribe { show("heading \($0)") }.store(in: subscriptions)
    voyage.select(\.wind).subscribe { show("wind \($0)") }.store(in: subscriptions)
    voyage.select(\.name).subscribe { show("name \($0)") }.store(in: subscriptions)
    voyage.select(\.waypoints).subscribe { show("waypoints \($0)") }.store(in: subscriptions)
    voyage.select { $0.wind > 20 }.subscribe { show($0 ? "storm" : "no storm") }.store(in: subscriptions)
    harbours["Bergen"].select(\.berths).subscribe { show("berths \($0 ?? 0)") }.store(in: subscriptions)
  }

  /// The helmsman steers.
  public func steer(_ heading: Int) {
    wheel.send(heading)
  }

  /// The sensor measures.
  public func measure(wind speed: Double) {
    wind.send(speed)
  }

  /// The voyage gets a name.
  public func name(_ name: String) {
    voyage.send(.named(name))
  }

  /// The ship passes a waypoint.
  public func pass(_ waypoint: String) {
    voyage.send(.passed(waypoint))
  }

  /// A harbour reports.
  public func report(_ harbour: String, berths: Int) {
    harbours.send(Report(harbour: harbour, berths: berths))
  }
}

/// The state of a voyage.
struct Voyage: AggregateState {
  enum Event: Sendable {
    case steered(heading: Int, wind: Double)
    case named(String)
    case passed(String)
  }

  var heading = 0
  var wind = 0.0
  var name = ""
  var waypoints: [String] = []

  mutating func apply(_ event: Event) {
    switch event {
    case .steered(let heading, let wind):
      self.heading = heading
      self.wind = wind
    case .named(let name):
      self.name = name
    case .passed(let waypoint):
      waypoints.append(waypoint)
    }
  }
}

/// What is known of a harbour.
struct Harbour: AggregateState {
  var berths = 0
  var reports = 0

  mutating func apply(_ event: Report) {
    berths = event.berths
    reports += 1
  }
}

struct Report: Sendable {
  let harbour: String
  let berths: Int
}
