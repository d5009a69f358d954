import Aggregate
import Logging
import RASPKeyed
import RASPLogs
import Streams
import Synchronization

/// What everything that folds events reports.
protocol ReportingFold: Sendable {
  associatedtype State: AggregateState
  var rejections: Observable<RejectedEvent<State>, Never> { get }
  var diagnostics: Observable<AggregatorDiagnostic, Never> { get }
  var events: Observable<State.Event, Never> { get }
  var pendingCount: Int { get }
}

/// What has sources of its own reports of them, too.
protocol SourcedFold: ReportingFold {
  var sourceFailures: Observable<SourceFailure, Never> { get }
  var health: HealthBoard { get }
}

extension SourcedFold {
  /// What is wrong with sources that must be connected.
  func problems(ofSources names: [String]) -> [String] {
    names.compactMap { name in
      guard let source = health[name] else { return "the source \(name) is not there" }
      return source.isConnected ? nil : "the source \(name) \(source.status.sentence)"
    }
  }
}

extension Aggregator: SourcedFold {}
extension KeyedAggregator: SourcedFold {}
extension LoggedAggregator: ReportingFold {}

extension PartMonitor {
  /// Reports events, what is refused, and diagnostics.
  func watch(_ fold: some ReportingFold) {
    let events = Atomic(0)
    keep(fold.events.subscribe { _ in events.add(1, ordering: .relaxed) })
    counter("rasp.events") { events.load(ordering: .relaxed) }
    gauge("rasp.events.waiting") { fold.pendingCount }
    keep(fold.diagnostics.subscribe { [logger] in logger.warning("\($0)") })
    watchRejections(of: fold)
  }

  /// An event may contain what does not belong into a log, so only the reason is written.
  private func watchRejections(of fold: some ReportingFold) {
    let refused = Mutex<(count: Int, untold: Int, reason: (any Error)?)>((0, 0, nil))
    keep(
      fold.rejections.subscribe { rejection in
        // To release an error may run code of the user, so the one before is released after unlocking.
        let before = refused.withLock { refused in
          defer { refused = (refused.count + 1, refused.untold + 1, rejection.reason) }
          return refused.reason.take()
        }
        _ = consume before
      }
    )
    counter("rasp.events.refused") { refused.withLock { $0.count } }
    eachPeriod { [logger] in
      let (untold, reason) = refused.withLock { refused in
        defer { refused.untold = 0 }
        return (refused.untold, refused.reason.take())
      }
      guard untold > 0, let reason else { return }
      logger.notice("events were refused", metadata: ["count": "\(untold)", "newest reason": "\(reason)"])
    }
  }

  /// Reports the health of sources.
  func watchSources(of fold: some SourcedFold) {
    keep(
      fold.sourceFailures.subscribe { [logger] failure in
        // A source with a name reports the change of its health.
        if failure.name == nil { logger.error("a source has failed", metadata: ["error": "\(failure.error)"]) }
      }
    )
    keep(
      fold.health.changes.subscribe { [logger] health in
        let metadata: Logger.Metadata = ["source": "\(health.name)", "attempts": "\(health.attempts)"]
        logger.log(level: health.status.level, "a source \(health.status.sentence)", metadata: metadata)
      }
    )
    eachPeriod { [weak self] in
      for source in fold.health.sources {
        let isConnected = source.isConnected ? 1 : 0
        self?.record(isConnected, of: source.name, as: "source", in: "rasp.source.connected")
        self?.record(source.outages, of: source.name, as: "source", in: "rasp.source.outages")
      }
    }
  }
}

extension SourceHealth.Status {
  fileprivate var sentence: String {
    switch self {
    case .connected: "is connected"
    case .retrying: "has failed and tries again"
    case .ended: "has ended"
    case .failed(let error): "has failed: \(error)"
    case .removed: "was removed"
    @unknown default: "is now: \(self)"
    }
  }

  fileprivate var level: Logger.Level {
    switch self {
    case .connected, .ended, .removed: .info
    case .retrying: .warning
    case .failed: .error
    @unknown default: .warning
    }
  }
}
