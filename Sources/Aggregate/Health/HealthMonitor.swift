import RASPPrimitives
import Streams

/// Watches one named source.
///
/// Safe to share: the record is behind the lock, and changes are told after unlocking.
final class HealthMonitor: StreamMonitor {
  let name: String
  /// No other monitor ever has it.
  let identity = SourceID()
  private let record: Lock<HealthRecord>
  private let scheduler: any Scheduler
  /// The monitor of the source that this one is a part of.
  private let whole: any StreamMonitor
  private let onChange: @Sendable (HealthMonitor) -> Void

  init(
    _ name: String,
    of source: SourceID,
    on scheduler: any Scheduler,
    within whole: any StreamMonitor,
    onChange: @escaping @Sendable (HealthMonitor) -> Void
  ) {
    self.name = name
    self.scheduler = scheduler
    self.whole = whole
    self.onChange = onChange
    record = Lock(HealthRecord(name: name, source: source, now: scheduler.now))
  }

  var present: HealthRecord { record.withLock { $0 } }

  /// The health alone, which is less to copy.
  var health: SourceHealth { record.withLock { $0.health } }

  var isDelivering: Bool { whole.isDelivering }

  /// A named part of a named source is a source of its own.
  func monitor(named name: String, on scheduler: any Scheduler) -> (any StreamMonitor)? {
    whole.monitor(named: name, on: scheduler)
  }

  func received() {
    let now = scheduler.now
    change { $0.receive(at: now) }
  }

  func ended(_ failure: (any Error)?) {
    change { $0.end(failure) }
  }

  func cancelled() {
    change { $0.cancel() }
  }

  func retryBegan() -> Int { record.withLock { $0.beginRetry() } }

  func retryFailed(_ retry: Int) {
    change { $0.fail(retry) }
  }

  func retryTried(_ retry: Int) {
    change { $0.attempt(retry) }
  }

  func retryRecovered(_ retry: Int) {
    let now = scheduler.now
    change { $0.recover(retry, at: now) }
  }

  func retryEnded(_ retry: Int) {
    change { $0.endRetry(retry) }
  }

  private func change(_ change: (inout HealthRecord) -> Void) {
    let hasChanged = record.withLock { record in
      let version = record.version
      change(&record)
      return record.version != version
    }
    if hasChanged { onChange(self) }
  }
}
