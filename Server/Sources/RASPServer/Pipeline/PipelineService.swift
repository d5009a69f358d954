public import Logging
public import Metrics
public import ServiceLifecycle
public import Streams
import Synchronization

/// What a process folds, as one service of it: watched while the process runs, and ended in the right order.
///
///     let pipeline = PipelineService(
///       [PipelinePart(quotes, as: "quotes", requiring: ["feed"]), PipelinePart(journal, as: "journal")],
///       logger: logger
///     )
///     try await ServiceGroup(services: [pipeline, http], gracefulShutdownSignals: [.sigterm], logger: logger).run()
///
/// The place in the list of the group does not matter. If the server of HTTP is told first, it waits for its open
/// answers: ``ServerSentEvents`` ends at that moment, because it listens for the shutdown by itself. If the pipeline is
/// told first, its states finish, which ends all streams of their values; then it closes what is stored, and the server
/// is told with nothing left to wait for.
///
/// - Ordering: parts end by their ``PipelineStage``, those of one stage in the order of the list, one after the other.
/// - Concurrency: every member may be called from any thread. The end is not cut short when the task is cancelled.
/// - Errors: ``run()`` throws the first error of a part that could not be ended; the others are ended nevertheless.
public final class PipelineService: Service {
  private enum Phase {
    case created, running, ending
  }

  private let parts: [PipelinePart]
  private let logger: Logger
  private let factory: any MetricsFactory
  private let period: Duration
  private let scheduler: any Scheduler
  private let phase = Mutex(Phase.created)

  /// Makes a service of its parts.
  ///
  /// - Parameters:
  ///   - parts: what is watched and ended.
  ///   - logger: gets failures, refusals, changes of sources, and the end.
  ///   - factory: gets the metrics, whose labels begin with `rasp.`.
  ///   - period: the time between two reads of what is measured.
  ///   - scheduler: the source of time of these reads.
  public init(
    _ parts: [PipelinePart],
    logger: Logger,
    metrics factory: any MetricsFactory = MetricsSystem.factory,
    every period: Duration = .seconds(10),
    on scheduler: some Scheduler = .continuous
  ) {
    let stages = PipelineStage.allCases
    self.parts = stages.flatMap { stage in parts.filter { $0.stage == stage } }
    self.logger = logger
    self.factory = factory
    self.period = period
    self.scheduler = scheduler
  }

  /// Whether the process is ready for requests: the service runs, and no part has a problem.
  ///
  /// - Complexity: O(parts and required sources).
  public var readiness: Readiness {
    switch phase.withLock({ $0 }) {
    case .created: Readiness(problems: ["the process is starting"])
    case .ending: Readiness(problems: ["the process is ending"])
    case .running: Readiness(problems: parts.flatMap { $0.problems() })
    }
  }

  /// Watches the parts until a graceful shutdown, or until the task is cancelled, and ends them.
  public func run() async throws {
    let monitors = parts.map { part in
      let monitor = PartMonitor(part: part.name, logger: logger, factory: factory)
      part.watch(monitor)
      return monitor
    }
    let reading = Observable<Int, Never>.interval(period, on: scheduler).subscribe { _ in
      for monitor in monitors { monitor.read() }
    }
    phase.withLock { $0 = .running }
    try? await gracefulShutdown()  // it fails when the task is cancelled, which is a reason to end as well
    phase.withLock { $0 = .ending }

    // A task of its own, because in a cancelled one nothing could be written any more.
    let failure = await Task { await endParts() }.value
    reading.cancel()
    for monitor in monitors { monitor.end() }
    if let failure { throw failure }
  }

  private func endParts() async -> (any Error)? {
    var first: (any Error)?
    for part in parts {
      let start = ContinuousClock.now
      do {
        try await part.end()
        logger.debug("a part has ended", metadata: ["part": "\(part.name)", "after": "\(ContinuousClock.now - start)"])
      } catch {
        logger.error("a part could not be ended: \(error)", metadata: ["part": "\(part.name)"])
        first = first ?? error
      }
    }
    return first
  }
}
