import RASPPrimitives
import Streams

/// The named sources of one aggregator, in the order in which they came.
///
/// Safe to share: the monitors are behind the lock. A change is told as the monitor that has changed, and a subscriber
/// reads the health when it is told: two threads that tell of two changes may overtake one another, but the last thing
/// that a subscriber reads is the newest.
@usableFromInline
package final class HealthList: Sendable {
  /// `nil` once the aggregator has finished. A monitor refers to the list, so the list must not keep the monitors then.
  private let monitors = Lock<MonitorTable?>(MonitorTable())
  private let signals = Hub<HealthMonitor, Never>(replaying: 0)

  private var present: [HealthMonitor] { monitors.withLock { $0?.all } ?? [] }

  package var sources: [SourceHealth] { monitors.withLock { $0?.healths } ?? [] }

  package func health(of name: String) -> SourceHealth? {
    monitors.withLock { $0?[name] }?.health
  }

  /// The name of the source with an identity. Of several names it is the one whose part has failed.
  func name(of id: SourceID) -> String? {
    let sources = sources.filter { $0.source == id }
    let failed = sources.first { if case .failed = $0.status { true } else { false } }
    return (failed ?? sources.first)?.name
  }

  /// Adds a source. It takes the place of one with the same name that has ended or failed.
  ///
  /// - Returns: `false` if another source has the name, or if the aggregator has finished.
  func add(_ newcomer: HealthMonitor) -> Bool {
    let (isAdded, replaced) = monitors.withLock { monitors -> (Bool, HealthMonitor?) in
      guard monitors != nil else { return (false, nil) }
      let present = monitors?[newcomer.name]
      if let present, !present.present.isOver { return (false, nil) }
      monitors?.put(newcomer)
      return (true, present)
    }
    _ = consume replaced
    if isAdded { changed(newcomer) }
    return isAdded
  }

  func changed(_ monitor: HealthMonitor) {
    if case .removed = monitor.present.health.status {
      monitors.withLock { $0?.remove(monitor) }
    }
    _ = signals.send(monitor)
  }

  /// The health of each source, then that of each source whose health changes.
  package var changes: Observable<SourceHealth, Never> {
    let changed = Observable<HealthMonitor, Never>(attach: { [signals] in signals.attach($0) })
    let present = Observable<HealthMonitor, Never>.deferred { Observable(self.present) }
    // Subscribed to before the present sources are read, so that no change is missed.
    return changed.merge(with: present).handleValues(with: { [SourceID: Int]() }) { seen, monitor, observer in
      let record = monitor.present
      let last = seen[monitor.identity]
      if case .removed = record.health.status {
        seen[monitor.identity] = nil
        // Known only to those that have seen it before.
        if last != nil { record.cause.deliver { observer.send(record.health) } }
      } else if last != record.version {
        seen[monitor.identity] = record.version
        // It may be newer than the change that is told here, and then something else has brought it about.
        record.cause.deliver { observer.send(record.health) }
      }
    }
  }

  func finish() {
    _ = signals.end(.finished)
    let released = monitors.exchange(with: nil)
    _ = consume released
  }
}
