import Aggregate
import Foundation
import Logging
import RASPJournal
import RASPKeyed
import RASPServer
import ServiceLifecycle
import Streams
import Synchronization
import Testing

@Suite("the service of a pipeline", .timeLimit(.minutes(5)))
struct PipelineServiceTests {
  private let logger = Logger(label: "test")

  @Test(
    "LOAD-80: a process ends while a client reads a stream, whichever service is told first",
    arguments: [true, false]
  )
  func anyPlace(isFirst: Bool) async throws {
    let counter = Aggregator(initial: Count())
    let pipeline = PipelineService([PipelinePart(counter, as: "counter")], logger: logger)
    let read = Mutex<[String]>([])
    let (opened, open) = AsyncStream<Void>.makeStream()
    let server = WaitingServer {
      let events = counter.select(\.value).values.serverSentEvents { [ServerSentEvent("\($0)")] }
      for await piece in events {
        read.withLock { $0.append(String(decoding: piece, as: UTF8.self)) }
        open.finish()
      }
    }
    let services: [any Service] = isFirst ? [pipeline, server] : [server, pipeline]
    let group = ServiceGroup(services: services, logger: logger)
    async let running: Void = group.run()
    for await _ in opened {}
    await group.triggerGracefulShutdown()
    try await running
    #expect(read.withLock { $0 } == ["data: 0\n\n"])
    #expect(!counter.send(1))
  }

  @Test("LOAD-81: parts end by their stage, and one that fails keeps none from ending")
  func stages() async throws {
    let ended = Mutex<[String]>([])
    func part(_ name: String, _ stage: PipelineStage, failing: Bool = false) -> PipelinePart {
      PipelinePart(name, in: stage) {
        ended.withLock { $0.append(name) }
        if failing { throw Broken(name: name) }
      }
    }
    let pipeline = PipelineService(
      [
        part("journal", .storage), part("rows", .states, failing: true), part("feed", .intake),
        part("log", .storage, failing: true), part("cluster", .intake),
      ],
      logger: logger
    )
    let group = ServiceGroup(services: [pipeline], logger: logger)
    await group.triggerGracefulShutdown()
    await #expect(throws: Broken(name: "rows")) { try await group.run() }
    #expect(ended.withLock { $0 } == ["feed", "cluster", "rows", "journal", "log"])
  }

  @Test(
    "LOAD-82: what was accepted before the end is in the journal, also when the task is cancelled",
    arguments: [true, false]
  )
  func journaled(isCancelled: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let journal = try KeyedJournal<Int, Count>(at: folder, startingWith: RecordedRows())
    let rows = try KeyedAggregator(continuing: journal, by: { $0 % 10 }, initial: { _ in Count() })
    let pipeline = PipelineService(
      [PipelinePart(journal, as: "journal"), PipelinePart(rows, as: "rows")],
      logger: logger
    )
    let group = ServiceGroup(services: [pipeline], logger: logger)
    let running = Task { try await group.run() }
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let senders = (0..<2).map { _ in
      Task.detached {
        var accepted = 0
        while accepted < 5_000, rows.send(accepted + 1) {
          accepted += 1
          if accepted == 200 { begin.finish() }
          if accepted.isMultiple(of: 50) { await Task.yield() }
        }
        return accepted
      }
    }
    for await _ in begun {}
    if isCancelled { running.cancel() } else { await group.triggerGracefulShutdown() }
    _ = await running.result
    var accepted = 0
    for sender in senders { accepted += await sender.value }
    let reader = try JournalReader<RecordedRows<Int, Count>>(at: folder, startingWith: RecordedRows())
    #expect(reader.state.rows.values.reduce(0) { $0 + $1.events } == accepted)
  }

  @Test("LOAD-83: a process is ready while it runs, its sources are connected and nothing has failed")
  func readiness() async throws {
    let counter = Aggregator(initial: Count())
    let pipeline = PipelineService([PipelinePart(counter, as: "counter", requiring: ["feed"])], logger: logger)
    #expect(pipeline.readiness.problems == ["the process is starting"])
    let group = ServiceGroup(services: [pipeline], logger: logger)
    async let running: Void = group.run()
    while pipeline.readiness.problems == ["the process is starting"] { try? await Task.sleep(for: .milliseconds(1)) }
    #expect(pipeline.readiness.problems == ["the source feed is not there"])
    let feed = Subject<Int, Broken>()
    counter.add(feed.observable, as: "feed")
    #expect(pipeline.readiness.isReady)
    #expect(pipeline.readiness.description == "ready")
    feed.fail(Broken(name: "feed"))
    #expect(!pipeline.readiness.isReady)
    await group.triggerGracefulShutdown()
    try await running
    #expect(pipeline.readiness.problems == ["the process is ending"])
  }
}

/// A server that waits for its open answer when it is asked to end, as servers of HTTP do.
struct WaitingServer: Service {
  let answer: @Sendable () async -> Void

  func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(operation: answer)
      try? await gracefulShutdown()
    }
  }
}

struct Broken: Error, Equatable {
  let name: String
}

struct Count: AggregateState, Codable, Equatable {
  struct Negative: Error {}

  var value = 0
  var events = 0

  mutating func apply(_ event: Int) throws(Negative) {
    if event < 0 { throw Negative() }
    value = event
    events += 1
  }
}
