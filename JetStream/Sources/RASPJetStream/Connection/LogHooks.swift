import Logging
import Metrics
import RASPLogs
import Tracing

/// What a log tells metrics and traces. Without a backend a call does nothing.
struct LogHooks: Sendable {
  private let log: String
  private let appended: Counter
  private let read: Counter
  private let commits: Counter
  private let deposed: Counter
  private let lag: Recorder
  private let appendTime: Metrics.Timer
  private let commitTime: Metrics.Timer
  private let isTraced: Bool
  private let logger: Logger
  private let lease: Duration

  init(log: String, logger: Logger, lease: Duration) {
    self.log = log
    self.logger = logger
    self.lease = lease
    let dimensions = [("log", log)]
    appended = Counter(label: "rasp.log.appended", dimensions: dimensions)
    read = Counter(label: "rasp.log.read", dimensions: dimensions)
    commits = Counter(label: "rasp.log.commits", dimensions: dimensions)
    deposed = Counter(label: "rasp.log.deposed", dimensions: dimensions)
    lag = Recorder(label: "rasp.log.lag", dimensions: dimensions, aggregate: false)
    appendTime = Metrics.Timer(label: "rasp.log.append.time", dimensions: dimensions)
    commitTime = Metrics.Timer(label: "rasp.log.commit.time", dimensions: dimensions)
    isTraced = !(InstrumentationSystem.tracer is NoOpTracer)
  }

  /// Entries of a partition were read, and so many more are there.
  func read(_ count: Int, behind: Int) {
    read.increment(by: count)
    lag.record(behind)
  }

  func append(
    _ count: Int,
    to partition: Int,
    _ body: () async throws(LogError) -> Int
  ) async throws(LogError) -> Int {
    let start = ContinuousClock.now
    let offset = try await spanned("append", .producer, partition, body)
    appended.increment(by: count)
    appendTime.record(duration: ContinuousClock.now - start)
    return offset
  }

  func commit(
    to partition: Int,
    _ body: () async throws(LogError) -> LogRevision
  ) async throws(LogError) -> LogRevision {
    let start = ContinuousClock.now
    do throws(LogError) {
      let revision = try await spanned("commit", .client, partition, body)
      commits.increment()
      let duration = ContinuousClock.now - start
      commitTime.record(duration: duration)
      if duration > lease { write(.warning, "A commit was late.", partition, ["duration": "\(duration)"]) }
      return revision
    } catch {
      if case .deposed = error {
        deposed.increment()
        write(.warning, "An owner was deposed.", partition)
      } else {
        write(.error, "A commit has failed.", partition, ["reason": "\(error)"])
      }
      throw error
    }
  }

  private func write(
    _ level: Logger.Level,
    _ message: Logger.Message,
    _ partition: Int,
    _ more: Logger.Metadata = [:]
  ) {
    logger.log(level: level, message, metadata: more.merging(["log": "\(log)", "partition": "\(partition)"]) { $1 })
  }

  private func spanned<Result>(
    _ name: String,
    _ kind: SpanKind,
    _ partition: Int,
    _ body: () async throws(LogError) -> Result
  ) async throws(LogError) -> Result {
    guard isTraced else { return try await body() }
    let span = startSpan("rasp.log.\(name)", ofKind: kind)
    span.attributes["messaging.system"] = "nats"
    span.attributes["messaging.destination.name"] = log
    span.attributes["messaging.destination.partition.id"] = "\(partition)"
    defer { span.end() }
    do throws(LogError) {
      return try await body()
    } catch {
      span.recordError(error)
      throw error
    }
  }
}
