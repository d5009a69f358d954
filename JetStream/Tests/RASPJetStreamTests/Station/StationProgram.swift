import Aggregate
import RASPKeyed
import RASPLogs
import Streams
import Synchronization

/// What one of many boilers tells.
struct BoilerReading: Codable, Hashable, Sendable {
  var boiler: String
  var celsius: Int
}

struct Boiler: AggregateState, Codable, Equatable {
  var celsius = 0
  var count = 0

  mutating func apply(_ reading: BoilerReading) {
    celsius = reading.celsius
    count += 1
  }
}

/// What the program uses of the rows. Both kinds of aggregators have it as it stands here.
protocol BoilerRows: Sendable {
  subscript(boiler: String) -> AggregateRow<String, Boiler> { get }
  func rows() -> [String: Boiler]
  var events: Observable<BoilerReading, Never> { get }
  var changes: Observable<RowChange<String, Boiler>, Never> { get }
  var rejections: Observable<RejectedEvent<Boiler>, Never> { get }
  var diagnostics: Observable<AggregatorDiagnostic, Never> { get }
  var sourceFailures: Observable<SourceFailure, Never> { get }
  var healthChanges: Observable<SourceHealth, Never> { get }
  var sources: [SourceHealth] { get }
  var pendingCount: Int { get }
  var keys: RowQuery<Set<String>> { get }
  func health(of name: String) -> SourceHealth?
  @discardableResult func add<Failure: Error>(_ source: Observable<BoilerReading, Failure>) -> SourceID
  @discardableResult func add<Failure: Error>(packets source: Observable<[BoilerReading], Failure>) -> SourceID
  @discardableResult func remove(source: SourceID) -> Bool
  func count(where condition: @escaping @Sendable (Boiler) -> Bool) -> RowQuery<Int>
  @discardableResult func finish() -> Bool
}

extension KeyedAggregator: BoilerRows where Key == String, State == Boiler {}
extension LoggedAggregator: BoilerRows where Key == String, State == Boiler {}

/// What the program has seen.
struct StationResult: Equatable, Sendable {
  var rows: [String: Boiler]
  var hottest: [String]
  var hotCount: Int
  var events: Set<BoilerReading>
  var burnerEvents: Int?
}

/// The events that were heard.
///
/// Safe to share: they are behind the lock.
private final class Heard: Sendable {
  let events = Mutex<Set<BoilerReading>>([])
}

/// A station that reads its boilers: the same program over rows of one process and over rows of a log.
///
/// - Parameter append: returns when an event is folded, and safe.
func runStation(
  _ boilers: some BoilerRows,
  append: @Sendable (BoilerReading) async throws -> Void
) async throws -> StationResult {
  let heard = Heard()
  let subscription = boilers.events.subscribe { event in heard.events.withLock { _ = $0.insert(event) } }
  let burner = Subject<BoilerReading, Never>()
  boilers.add(burner.observable.named("burner"))
  let old = (40...41).map { BoilerReading(boiler: "old", celsius: $0) }
  boilers.add(packets: Observable([old]))
  for celsius in [70, 81, 64] { try await append(BoilerReading(boiler: "boiler-\(celsius % 4)", celsius: celsius)) }
  burner.send(BoilerReading(boiler: "burner", celsius: 300))
  // What a source sends is folded at once by a keyed aggregator, and a moment later by one over a log. An event is told
  // behind its fold.
  while boilers["burner"].current == nil || boilers["old"].current?.count != 2
    || heard.events.withLock({ $0.count }) < 6
  {
    try await Task.sleep(for: .milliseconds(1))
  }
  let health = boilers.health(of: "burner")
  let result = StationResult(
    rows: boilers.rows(),
    hottest: boilers.rows().sorted { $0.value.celsius > $1.value.celsius }.map(\.key),
    hotCount: boilers.count { $0.celsius > 65 }.current,
    events: heard.events.withLock { $0 },
    burnerEvents: health?.eventCount
  )
  subscription.cancel()
  return result
}

/// What the program must see.
let stationResult = StationResult(
  rows: [
    "boiler-2": Boiler(celsius: 70, count: 1), "boiler-1": Boiler(celsius: 81, count: 1),
    "boiler-0": Boiler(celsius: 64, count: 1), "old": Boiler(celsius: 41, count: 2),
    "burner": Boiler(celsius: 300, count: 1),
  ],
  hottest: ["burner", "boiler-1", "boiler-2", "boiler-0", "old"],
  hotCount: 3,
  events: [
    BoilerReading(boiler: "boiler-2", celsius: 70), BoilerReading(boiler: "boiler-1", celsius: 81),
    BoilerReading(boiler: "boiler-0", celsius: 64), BoilerReading(boiler: "old", celsius: 40),
    BoilerReading(boiler: "old", celsius: 41), BoilerReading(boiler: "burner", celsius: 300),
  ],
  burnerEvents: 1
)
