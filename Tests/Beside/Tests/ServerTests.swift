import Aggregate
import Logging
import Metrics
import MetricsTestKit
import ServiceLifecycle
import Streams
import Synchronization
import Testing

/// The code of the article "Servers and clients", run.
@Suite("servers and clients", .timeLimit(.minutes(60)))
struct ServerTests {
  @Test("a request is answered by what has become of its event")
  func answers() async {
    let thermostat = Aggregator(initial: Thermostat())
    #expect(await put(21, to: thermostat) == 204)
    #expect(await put(90, to: thermostat) == 422)
    thermostat.finish()
    #expect(await put(21, to: thermostat) == 503)
  }

  @Test("a service ends with the process, and its streams with it")
  func lifecycle() async throws {
    let thermostat = Aggregator(initial: Thermostat())
    let written = Mutex<[String]>([])
    let service = ThermostatService(thermostat: thermostat, logger: Logger(label: "test"))
    let group = ServiceGroup(services: [service], logger: Logger(label: "test"))
    async let running: Void = group.run()
    async let client: Void = stream(thermostat) { text in
      written.withLock { $0.append(text) }
      await group.triggerGracefulShutdown()
    }
    try await client
    try await running
    #expect(written.withLock { $0 } == ["data: 20.0\n\n"])
    #expect(await put(21, to: thermostat) == 503)
  }

  @Test("events are counted, and a refused one is logged")
  func reports() throws {
    let metrics = TestMetrics()
    MetricsSystem.bootstrap(metrics)
    let lines = Lines()
    let thermostat = Aggregator(initial: Thermostat())
    let logger = Logger(label: "test") { _ in lines }
    let tokens = log(thermostat, with: logger) + measure(thermostat)
    thermostat.send(21)
    thermostat.send(90)
    #expect(try metrics.expectCounter("thermostat.events").totalValue == 2)
    #expect(try metrics.expectCounter("thermostat.refused").totalValue == 1)
    #expect(lines.all.withLock { $0 } == ["refused"])
    withExtendedLifetime(tokens) {}
  }
}

/// A log handler that keeps the messages.
private final class Lines: LogHandler, Sendable {
  let all = Mutex<[String]>([])
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    all.withLock { $0.append("\(event.message)") }
  }
}
