public import Streams

/// The health of sources, each under its name: what a dashboard shows.
///
/// An aggregator has a board, ``Aggregator/health``. A program may make one of its own, for streams that belong to no
/// aggregator or to several.
///
///     let board = HealthBoard()
///     let fixes = gps.retry(.exponential(from: .seconds(1)), onEvent: board.retries(of: "gps"))
///       .monitored(by: board, as: "gps")
///     board["gps"]?.outages
///
/// - Concurrency: every member may be used from any thread, also from inside callbacks.
public final class HealthBoard: Sendable {
  // Safe to share: the sources are behind the lock. A change is told as the source that has changed, and a subscriber
  // reads the record when it is told: two threads that tell of two changes may overtake one another, but the last thing
  // that a subscriber reads is the newest.

  /// `nil` once the board is closed.
  private let monitored = Lock<[String: MonitoredSource]?>([:])
  private let signals = Hub<MonitoredSource, Never>(replaying: 0)
  private let onRepeatedName: @Sendable (String) -> Void

  /// Makes a board with no sources.
  ///
  /// - Complexity: O(1).
  public convenience init() {
    self.init { _ in }
  }

  /// - Parameter onRepeatedName: gets a name under which a second source has begun while the first one ran.
  init(onRepeatedName: @escaping @Sendable (String) -> Void) {
    self.onRepeatedName = onRepeatedName
  }

  deinit {
    close()
  }

  // MARK: Reading

  /// The health of all sources, in the order in which they came. Sources that have ended or failed are among them until
  /// another one takes their name; removed ones are not.
  ///
  /// - Complexity: O(n log n), n being the number of sources.
  public var sources: [SourceHealth] { all.map(\.record.health) }

  /// The health of the source with a name; `nil` if there is none, or if it was removed.
  ///
  /// - Complexity: O(1).
  public subscript(name: String) -> SourceHealth? { source(name)?.record.health }

  /// Sends the health of each source: those that there are first, then each one that is added or whose health changes.
  /// An event by itself is no change, only the first one after an outage is.
  ///
  /// - Ordering: the newest health of a source comes last. Changes that follow one another quickly may be sent as one.
  /// - Completion: finishes with the aggregator that has the board, or when the board is released.
  /// - Complexity: O(1) per change and subscriber.
  public var changes: Observable<SourceHealth, Never> {
    let changed = Observable<MonitoredSource, Never>(attach: { [signals] in signals.attach($0) })
    let present = Observable<MonitoredSource, Never>.deferred { [weak self] in Observable(self?.all ?? []) }
    // Subscribed to before the present sources are read, so that no change is missed.
    return changed.merge(with: present).handleValues(with: { [String: Int]() }) { told, source, observer in
      let record = source.record
      let last = told[record.health.name]
      guard record.version > last ?? 0 else { return }
      if case .removed = record.health.status {
        told[record.health.name] = nil
        // Known only to those that have seen it before.
        if last == nil { return }
      } else {
        told[record.health.name] = record.version
      }
      // It may be newer than the change that is told here, and then something else has brought it about.
      record.cause.deliver { observer.send(record.health) }
    }
  }

  private var all: [MonitoredSource] {
    let all = monitored.withLock { $0 } ?? [:]
    return all.values.sorted { $0.number < $1.number }
  }

  private func source(_ name: String) -> MonitoredSource? { monitored.withLock { $0?[name] } }

  /// The name of the source with an identity.
  func name(of id: SourceID) -> String? { sources.first { $0.source == id }?.name }

  // MARK: Watching

  /// Returns what notes the outages and tries of the source with a name, for `onEvent` of `retry`. It does nothing
  /// while no source with this name is monitored.
  ///
  /// - Complexity: O(1) per event.
  public func retries(of name: String) -> @Sendable (RetryEvent) -> Void {
    { event in
      if let source = self.source(name) { self.note(source) { $0.note(event) } }
    }
  }

  /// Adds a source. It takes the place of one with the same name that has ended or failed.
  ///
  /// - Returns: `nil` if another source has the name, or if the board is closed.
  func add(_ health: SourceHealth) -> MonitoredSource? {
    let newcomer = MonitoredSource(health)
    let (isAdded, other) = monitored.withLock { monitored -> (Bool, MonitoredSource?) in
      let other = monitored?[health.name]
      if monitored == nil || other?.record.isOver == false { return (false, other) }
      monitored?[health.name] = newcomer
      return (true, other)
    }
    if isAdded {
      _ = signals.send(newcomer)
      return newcomer
    }
    if other != nil { onRepeatedName(health.name) }
    return nil
  }

  /// Notes what has happened to a source, and tells of it if the health has changed.
  func note(_ source: MonitoredSource, _ change: (inout HealthRecord) -> Void) {
    guard let health = source.change(change) else { return }
    if case .removed = health.status {
      monitored.withLock { if $0?[health.name] === source { $0?[health.name] = nil } }
    }
    _ = signals.send(source)
  }

  /// Forgets all sources, and adds no other.
  func close() {
    _ = signals.end(.finished)
    let released = monitored.exchange(with: nil)
    _ = consume released
  }
}
