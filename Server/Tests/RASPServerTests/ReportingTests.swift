import Aggregate
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import RASPJournal
import RASPKeyed
import RASPServer
import RASPTesting
import ServiceLifecycle
import Streams
import Testing

@Suite("what a pipeline reports", .timeLimit(.minutes(5)))
struct ReportingTests {
  @Test("LOAD-84: events, refusals and sources are counted once per period, and a refused event is not in the log")
  func aggregator() async throws {
    let counter = KeyedAggregator(by: { $0 }, initial: { (_: Int) in Count() })
    let feed = Subject<Int, Broken>()
    try await withPipeline([PipelinePart(counter, as: "counter")]) { (metrics, log, time) async throws in
      counter.add(feed.observable, as: "feed")
      feed.send(1)
      for _ in 0..<3 { counter.send(-4_711) }
      #expect(log().filter { $0.contains("refused") } == [])
      time.advance(by: .seconds(10))
      #expect(try metrics.expectCounter("rasp.events", [("part", "counter")]).totalValue == 4)
      #expect(try metrics.expectCounter("rasp.events.refused", [("part", "counter")]).totalValue == 3)
      let connected = [("part", "counter"), ("source", "feed")]
      #expect(try metrics.expectGauge("rasp.source.connected", connected).lastValue == 1)
      feed.fail(Broken(name: "feed"))
      time.advance(by: .seconds(10))
      #expect(try metrics.expectGauge("rasp.source.connected", connected).lastValue == 0)
      #expect(try metrics.expectCounter("rasp.events", [("part", "counter")]).totalValue == 4)
      #expect(log().count { $0.hasPrefix("events were refused") } == 1)
      #expect(log().contains { $0.hasPrefix("a source has failed") })
      #expect(!log().contains { $0.contains("4711") })
    }
  }

  @Test("LOAD-85: what a journal has written is counted, and what it could not write is logged")
  func journal() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let events = Coding<Int>(version: 1) { event, writer in
      if event == 3 { throw Broken(name: "coding") }
      writer.append(event)
    } decode: {
      try $0.read(Int.self)
    }
    let coding = RecordingCoding<Count>(states: .codable, events: events)
    let journal = try Journal(at: folder, startingWith: Count(), coding: coding)
    let counter = try Aggregator(continuing: journal)
    let parts = [PipelinePart(counter, as: "counter"), PipelinePart(journal, as: "journal")]
    try await withPipeline(parts) { (metrics, log, time) async throws in
      for event in 0..<5 { counter.send(event) }
      try await journal.flush()
      time.advance(by: .seconds(10))
      #expect(try metrics.expectCounter("rasp.journal.written", [("part", "journal")]).totalValue >= 4)
      #expect(log().count { $0.hasPrefix("the journal has failed") } == 1)
    }
  }

  /// Runs a pipeline in virtual time, whose period is ten seconds.
  private func withPipeline(
    _ parts: [PipelinePart],
    _ body: @Sendable (TestMetrics, () -> [String], VirtualScheduler) async throws -> Void
  ) async throws {
    let metrics = TestMetrics()
    let log = InMemoryLogHandler()
    let time = VirtualScheduler()
    let logger = Logger(label: "test") { _ in log }
    let pipeline = PipelineService(parts, logger: logger, metrics: metrics, every: .seconds(10), on: time)
    let group = ServiceGroup(services: [pipeline], logger: Logger(label: "test"))
    async let running: Void = group.run()
    while !pipeline.readiness.isReady { try? await Task.sleep(for: .milliseconds(1)) }
    try await body(metrics, { log.entries.map { "\($0.message) \($0.metadata)" } }, time)
    await group.triggerGracefulShutdown()
    try await running
  }
}
