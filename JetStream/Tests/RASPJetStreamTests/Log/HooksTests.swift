import InMemoryTracing
import Metrics
import MetricsTestKit
import RASPLogs
import ServerSupport
import Testing
import Tracing

@testable import RASPJetStream

@Suite(
  "What a log tells metrics and traces",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct HooksTests {
  /// Backends can be set once in a process.
  private static let backends: (metrics: TestMetrics, tracer: InMemoryTracer) = {
    let (metrics, tracer) = (TestMetrics(), InMemoryTracer())
    MetricsSystem.bootstrap(metrics)
    InstrumentationSystem.bootstrap(tracer)
    return (metrics, tracer)
  }()

  @Test("appends, reads, commits and a deposed owner are counted, and appends and commits are spans")
  func counts() async throws {
    let (metrics, tracer) = Self.backends
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<Reading>(server.url, name: "hooks", partitions: 2, options: .quick)
    try await log.append((1...3).map { Reading(sensor: "a", value: $0) }, to: 1)
    #expect(try await read(3, of: 1, from: log).count == 3)
    try await log.commit([1], at: 1, to: 1, replacing: .none)
    await #expect(throws: LogError.self) { try await log.commit([2], at: 2, to: 1, replacing: .none) }
    try await log.close()

    let dimensions = [("log", "hooks")]
    func count(_ label: String) throws -> Int64 { try metrics.expectCounter(label, dimensions).totalValue }
    #expect(try count("rasp.log.appended") == 3)
    #expect(try count("rasp.log.read") == 3)
    #expect(try count("rasp.log.commits") == 1)
    #expect(try count("rasp.log.deposed") == 1)
    #expect(try metrics.expectTimer("rasp.log.append.time", dimensions).values.count == 1)
    #expect(try metrics.expectTimer("rasp.log.commit.time", dimensions).values.count == 1)
    #expect(try metrics.expectRecorder("rasp.log.lag", dimensions).values.last == 0)

    let spans = tracer.finishedSpans.filter { span in
      span.attributes.get("messaging.destination.name") == .string("hooks")
    }
    #expect(spans.map(\.operationName) == ["rasp.log.append", "rasp.log.commit", "rasp.log.commit"])
    #expect(spans.map { $0.errors.count } == [0, 0, 1])
  }
}
