import Streams
import Synchronization

/// What is known of one source: events in, health out.
struct HealthRecord: Sendable {
  private static let changes = Atomic<Int>(0)

  private(set) var health: SourceHealth
  /// It rises from change to change, and from one source of a name to the next. Events that change nothing else do not
  /// count.
  private(set) var version = nextVersion()
  /// What has brought the newest change about.
  private(set) var cause = CarriedCause.unknown

  init(_ health: SourceHealth) {
    self.health = health
  }

  /// Whether the source sends nothing any more.
  var isOver: Bool {
    switch health.status {
    case .connected, .retrying: false
    case .ended, .failed, .removed: true
    }
  }

  mutating func receive(at now: Duration) {
    guard !isOver else { return }
    health.eventCount += 1
    health.lastEvent = now
    if case .retrying = health.status { turn(.connected, since: now) }
  }

  mutating func note(_ event: RetryEvent) {
    guard !isOver else { return }
    switch event {
    case .failed:
      guard health.isConnected else { return }
      health.outages += 1
      turn(.retrying)
    case .trying:
      health.attempts += 1
      noteChange()
    }
  }

  mutating func end<Failure: Error>(_ end: StreamEnd<Failure>) {
    guard !isOver else { return }
    switch end {
    case .finished: turn(.ended)
    case .failed(let failure):
      if health.isConnected { health.outages += 1 }
      turn(.failed(failure))
    }
  }

  mutating func cancel() {
    if !isOver { turn(.removed) }
  }

  private mutating func turn(_ status: SourceHealth.Status, since now: Duration? = nil) {
    health.status = status
    health.connectedSince = now
    noteChange()
  }

  private mutating func noteChange() {
    version = Self.nextVersion()
    cause = .current
  }

  private static func nextVersion() -> Int { changes.add(1, ordering: .relaxed).newValue }
}

/// A source that a ``HealthBoard`` watches.
///
/// Safe to share: the record is behind the lock.
final class MonitoredSource: Sendable {
  private let contents: Lock<HealthRecord>
  /// It rises from source to source.
  let number: Int

  init(_ health: SourceHealth) {
    let record = HealthRecord(health)
    contents = Lock(record)
    number = record.version
  }

  var record: HealthRecord { contents.withLock { $0 } }

  /// - Returns: the health if it has changed.
  func change(_ change: (inout HealthRecord) -> Void) -> SourceHealth? {
    contents.withLock { record in
      let version = record.version
      change(&record)
      return record.version == version ? nil : record.health
    }
  }
}
