import Aggregate
import Logging
import Metrics
import ServiceLifecycle
import Streams

struct Thermostat: AggregateState, Equatable {
  struct OutOfRange: Error {}

  var target = 20.0

  mutating func apply(_ target: Double) throws(OutOfRange) {
    guard (5...30).contains(target) else { throw OutOfRange() }
    self.target = target
  }
}

/// The status of the answer to a PUT.
func put(_ target: Double, to thermostat: Aggregator<Thermostat>) async -> Int {
  do {
    switch try await thermostat.submit(target) {
    case .folded: return 204
    case .finished: return 503
    case .cancelled: return 499
    }
  } catch {
    return 422
  }
}

/// Serves one client until it has gone or the server shuts down.
func stream(
  _ thermostat: Aggregator<Thermostat>,
  to write: @Sendable (String) async throws -> Void
) async throws {
  for await target in thermostat.select(\.target).values {
    try await write("data: \(target)\n\n")
  }
}

func log(_ thermostat: Aggregator<Thermostat>, with logger: Logger) -> [Subscription] {
  [
    thermostat.rejections.subscribe { logger.notice("refused", metadata: ["event": "\($0.event)"]) },
    thermostat.sourceFailures.subscribe { logger.error("a source has failed: \($0.error)") },
    thermostat.healthChanges.subscribe { logger.info("\($0.name) is \($0.status)") },
    thermostat.diagnostics.subscribe { logger.warning("\($0)") },
  ]
}

func measure(_ thermostat: Aggregator<Thermostat>, on time: some Scheduler = .continuous) -> [Subscription] {
  let events = Counter(label: "thermostat.events")
  let refused = Counter(label: "thermostat.refused")
  let waiting = Gauge(label: "thermostat.waiting")
  return [
    thermostat.events.subscribe { _ in events.increment() },
    thermostat.rejections.subscribe { _ in refused.increment() },
    Observable<Int, Never>.interval(.seconds(10), on: time).subscribe { _ in waiting.record(thermostat.pendingCount) },
  ]
}

struct ThermostatService: Service {
  let thermostat: Aggregator<Thermostat>
  let logger: Logger

  func run() async throws {
    let tokens = log(thermostat, with: logger) + measure(thermostat)
    try? await gracefulShutdown()  // fails when the task is cancelled, which is a reason to end as well
    thermostat.finish()
    for token in tokens { token.cancel() }
  }
}
