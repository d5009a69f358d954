import Streams

/// What is known of one source: events in, health out.
///
/// Invariant: while a `retry` of the source is down, the source is in an outage.
struct HealthRecord: Sendable {
  private(set) var health: SourceHealth
  /// The number of changes of the health. Events that change nothing else do not count.
  private(set) var version = 0
  /// What has brought the newest change about.
  private(set) var cause = CarriedCause.unknown
  private var down: Set<Int> = []
  private var retries = 0

  init(name: String, source: SourceID, now: Duration) {
    health = SourceHealth(name: name, source: source, connectedSince: now)
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
    if down.isEmpty { connect(at: now) }
  }

  mutating func end(_ failure: (any Error)?) {
    guard !isOver else { return }
    if failure != nil { beginOutage() }
    health.status = failure.map { .failed($0) } ?? .ended
    health.connectedSince = nil
    change()
  }

  mutating func cancel() {
    guard !isOver else { return }
    health.status = .removed
    health.connectedSince = nil
    change()
  }

  // MARK: Retries

  mutating func beginRetry() -> Int {
    retries += 1
    return retries
  }

  mutating func fail(_ retry: Int) {
    guard !isOver, down.insert(retry).inserted else { return }
    beginOutage()
  }

  mutating func attempt(_ retry: Int) {
    guard !isOver else { return }
    health.attempts += 1
    change()
  }

  mutating func recover(_ retry: Int, at now: Duration) {
    down.remove(retry)
    if !isOver, down.isEmpty { connect(at: now) }
  }

  /// A retry that is over while it is down does not end the outage: the next event does.
  mutating func endRetry(_ retry: Int) {
    down.remove(retry)
  }

  private mutating func change() {
    version += 1
    cause = .current
  }

  private mutating func beginOutage() {
    guard case .connected = health.status else { return }
    health.status = .retrying
    health.connectedSince = nil
    health.outages += 1
    change()
  }

  private mutating func connect(at now: Duration) {
    guard case .retrying = health.status else { return }
    health.status = .connected
    health.connectedSince = now
    change()
  }
}
