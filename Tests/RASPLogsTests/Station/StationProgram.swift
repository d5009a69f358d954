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
  var pendingCount: Int { get }
  var keys: RowQuery<Set<String>> { get }
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
  for celsius in [70, 81, 64] { try await append(BoilerReading(boiler: "boiler-\(celsius % 4)", celsius: celsius)) }
  for celsius in 40...41 { try await append(BoilerReading(boiler: "old", celsius: celsius)) }
  // An event is told behind its fold.
  while heard.events.withLock({ $0.count }) < 5 { try await Task.sleep(for: .milliseconds(1)) }
  let result = StationResult(
    rows: boilers.rows(),
    hottest: boilers.rows().sorted { $0.value.celsius > $1.value.celsius }.map(\.key),
    hotCount: boilers.count { $0.celsius > 65 }.current,
    events: heard.events.withLock { $0 }
  )
  subscription.cancel()
  return result
}

/// What the program must see.
let stationResult = StationResult(
  rows: [
    "boiler-2": Boiler(celsius: 70, count: 1), "boiler-1": Boiler(celsius: 81, count: 1),
    "boiler-0": Boiler(celsius: 64, count: 1), "old": Boiler(celsius: 41, count: 2),
  ],
  hottest: ["boiler-1", "boiler-2", "boiler-0", "old"],
  hotCount: 2,
  events: [
    BoilerReading(boiler: "boiler-2", celsius: 70), BoilerReading(boiler: "boiler-1", celsius: 81),
    BoilerReading(boiler: "boiler-0", celsius: 64), BoilerReading(boiler: "old", celsius: 40),
    BoilerReading(boiler: "old", celsius: 41),
  ]
)
