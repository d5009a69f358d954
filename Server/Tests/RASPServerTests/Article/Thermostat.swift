import Aggregate
import Logging
import RASPServer
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
  to write: @Sendable ([UInt8]) async throws -> Void
) async throws {
  let events = thermostat.select(\.target).values.serverSentEvents { [ServerSentEvent("\($0)")] }
  for await piece in events { try await write(piece) }
}

/// Serves one client with lines of text.
func lines(
  _ thermostat: Aggregator<Thermostat>,
  to write: @Sendable (String) async throws -> Void
) async throws {
  for await target in thermostat.select(\.target).values.cancelOnGracefulShutdown() {
    try await write("\(target)\n")
  }
}

/// Tells a device each new target, also the last one before the shutdown.
func drive(
  _ thermostat: Aggregator<Thermostat>,
  with write: @Sendable (Double) async throws -> Void
) async throws {
  try await withGracefulShutdownHandler {
    for await target in thermostat.select(\.target).values { try await write(target) }
  } onGracefulShutdown: {
    thermostat.finish()
  }
}

func targets(from server: LineServer, noting health: HealthBoard) -> Observable<[Double], any Error> {
  Observable.linePackets(from: server)
    .retry(.exponential(from: .milliseconds(100), limit: .seconds(5), jitter: 0.2), onEvent: health.retries(of: "feed"))
    .map { lines in lines.compactMap(Double.init) }
    .monitored(by: health, as: "feed")
}

func serve(_ thermostat: Aggregator<Thermostat>, with http: any Service, logger: Logger) async throws {
  let pipeline = PipelineService([PipelinePart(thermostat, as: "thermostat")], logger: logger)
  let services: [any Service] = [pipeline, http]
  try await ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm], logger: logger).run()
}

func ready(_ pipeline: PipelineService) -> (status: Int, body: String) {
  let readiness = pipeline.readiness
  return (readiness.isReady ? 200 : 503, readiness.description)
}
