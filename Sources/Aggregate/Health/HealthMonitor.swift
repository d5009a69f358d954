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
  private let list: HealthList
  private let parent: SourceMonitor

  init(_ name: String, on scheduler: any Scheduler, in list: HealthList, of parent: SourceMonitor) {
    self.name = name
    self.scheduler = scheduler
    self.list = list
    self.parent = parent
    record = Lock(HealthRecord(name: name, source: parent.id, now: scheduler.now))
  }

  var present: HealthRecord { record.withLock { $0 } }

  var isDelivering: Bool { parent.isDelivering }

  /// A named part of a named source is a source of its own.
  func monitor(named name: String, on scheduler: any Scheduler) -> (any StreamMonitor)? {
    parent.monitor(named: name, on: scheduler)
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
    if hasChanged { list.changed(self) }
  }
}

/// Watches any source of an aggregator while the source is subscribed to, and makes the monitors of its named parts.
final class SourceMonitor: StreamMonitor {
  let id: SourceID
  private let owner: any SourceOwner

  init(_ id: SourceID, of owner: any SourceOwner) {
    self.id = id
    self.owner = owner
  }

  var isDelivering: Bool { owner.isDelivering }

  func monitor(named name: String, on scheduler: any Scheduler) -> (any StreamMonitor)? {
    let list = owner.health
    let monitor = HealthMonitor(name, on: scheduler, in: list, of: self)
    if list.add(monitor) { return monitor }
    #if DEBUG
      if list.health(of: name) != nil { owner.report(.repeatedSourceName(name)) }
    #endif
    return nil
  }

  // A source without a name is not watched any further.
  func received() {}
  func ended(_ failure: (any Error)?) {}
  func cancelled() {}
  func retryBegan() -> Int { 0 }
  func retryFailed(_ retry: Int) {}
  func retryTried(_ retry: Int) {}
  func retryRecovered(_ retry: Int) {}
  func retryEnded(_ retry: Int) {}
}

/// An aggregator, as the monitors of its sources know it.
protocol SourceOwner: AnyObject, Sendable {
  var isDelivering: Bool { get }
  var health: HealthList { get }
  func report(_ diagnostic: AggregatorDiagnostic)
}
