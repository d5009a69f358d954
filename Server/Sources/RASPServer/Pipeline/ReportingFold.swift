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
}

extension Aggregator: ReportingFold {}
extension KeyedAggregator: ReportingFold {}
extension LoggedAggregator: ReportingFold {}

extension PartMonitor {
  /// Reports refused events and diagnostics. An event may contain what does not belong into a log, so only the reason
  /// is written.
  func watch(_ fold: some ReportingFold) {
    let refused = Mutex<(count: Int, untold: Int, reason: (any Error)?)>((0, 0, nil))
    keep(
      fold.rejections.subscribe { rejection in
        refused.withLock { $0 = ($0.count + 1, $0.untold + 1, rejection.reason) }
      }
    )
    counter("rasp.events.refused") { refused.withLock { $0.count } }
    eachPeriod { [logger] in
      let (untold, reason) = refused.withLock { refused in
        defer { refused.untold = 0 }
        return (refused.untold, refused.reason)
      }
      guard untold > 0, let reason else { return }
      logger.notice("events were refused", metadata: ["count": "\(untold)", "newest reason": "\(reason)"])
    }
    keep(fold.diagnostics.subscribe { [logger] in logger.warning("\($0)") })
  }
}
