import Aggregate
import Foundation
import Hummingbird
import Logging
import RASPJournal
import RASPKeyed
import RASPServer
import ServiceLifecycle
import Streams

/// Quotes of some thousand instruments: folded from a feed, kept in a journal, and shown to clients.
struct QuotesServer: Sendable {
  let quotes: Quotes
  let group: ServiceGroup
  let ports: AsyncStream<Int>

  init(folder: String, feed: LineServer, port: Int, logger: Logger) throws {
    let journal = try KeyedJournal<String, Quote>(at: folder, startingWith: RecordedRows(), keeping: .sinceSnapshots)
    let quotes = try Quotes(continuing: journal, by: \.symbol, initial: { _ in Quote() })
    quotes.add(packets: Self.ticks(from: feed, noting: quotes.health))
    let states = PipelinePart(quotes, as: "quotes", requiring: ["feed"], droppingPending: true)
    let pipeline = PipelineService([states, PipelinePart(journal, as: "journal")], logger: logger)
    let (ports, bound) = AsyncStream<Int>.makeStream()
    let http = Application(
      router: Self.router(quotes, pipeline),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { bound.yield($0.localAddress?.port ?? 0) },
      logger: logger
    )
    // A client that reads nothing keeps the server from writing the end, so that is given a second.
    var configuration = ServiceGroupConfiguration(services: [pipeline, http], logger: logger)
    configuration.gracefulShutdownSignals = [.sigterm, .sigint]
    configuration.maximumGracefulShutdownDuration = .seconds(1)
    group = ServiceGroup(configuration: configuration)
    (self.quotes, self.ports) = (quotes, ports)
  }

  /// The feed: connected again when it breaks, read no faster than it is folded, and one packet stays one.
  private static func ticks(from feed: LineServer, noting health: HealthBoard) -> Observable<[Tick], any Error> {
    Observable.linePackets(from: feed)
      .concat(with: Observable.fail(FeedEnded()))
      .retry(
        .exponential(from: .milliseconds(100), limit: .seconds(5), jitter: 0.2),
        onEvent: health.retries(of: "feed")
      )
      .map { lines in
        let now = Date().timeIntervalSince1970
        return lines.compactMap { Tick($0, readAt: now) }
      }
      .monitored(by: health, as: "feed")
  }

  private static func router(_ quotes: Quotes, _ pipeline: PipelineService) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("ready") { _, _ in
      let readiness = pipeline.readiness
      return try json(readiness, readiness.isReady ? .ok : .serviceUnavailable)
    }
    router.get("quotes/:symbol") { _, context in
      guard let quote = quotes[try context.parameters.require("symbol")].current else { throw HTTPError(.notFound) }
      return try json(quote)
    }
    router.get("movers") { _, _ in
      try json(quotes.rows().sorted { $0.value.move.magnitude > $1.value.move.magnitude }.prefix(10).map(\.key))
    }
    router.get("stream") { request, _ in
      let symbols = (request.uri.queryParameters["symbols"] ?? "").split(separator: ",").map(String.init)
      let events = quotes.newest(of: symbols, \.shown).serverSentEvents { changes in
        changes.compactMap { change in
          change.value.flatMap(\.self).map { ServerSentEvent("\($0.price) \($0.readAt)", event: change.key) }
        }
      }
      return Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
        body: ResponseBody(asyncSequence: events.map { ByteBuffer(bytes: $0) })
      )
    }
    return router
  }

  private static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
    let body = ByteBuffer(bytes: try JSONEncoder().encode(value))
    return Response(status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
  }
}

struct FeedEnded: Error {}

/// Is started as `Quotes FOLDER FEED-PORT HTTP-PORT`.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let feed = Int(arguments[2]), let port = Int(arguments[3]) else {
      return print("Quotes FOLDER FEED-PORT HTTP-PORT")
    }
    let (source, logger) = (LineServer.host("127.0.0.1", port: feed), Logger(label: "quotes"))
    try await QuotesServer(folder: arguments[1], feed: source, port: port, logger: logger).group.run()
  }
}
