public import Aggregate
import Logging
public import RASPKeyed
import Streams
import Synchronization

extension PipelinePart {
  /// Makes a part of an aggregator. It ends in ``PipelineStage/states``: what waits in its line is folded, and its
  /// streams end.
  ///
  /// - Parameters:
  ///   - aggregator: the aggregator.
  ///   - name: the name.
  ///   - sources: the names of sources that must be connected for the process to be ready.
  ///   - isDropping: `true` if the end does not wait for events in the line: see `finish(droppingPending:)`.
  public init<State>(
    _ aggregator: Aggregator<State>,
    as name: String,
    requiring sources: [String] = [],
    droppingPending isDropping: Bool = false
  ) {
    self.init(states: aggregator, name, sources, isDropping)
  }

  /// Makes a part of an aggregator of rows. It ends in ``PipelineStage/states``: what waits in its lines is folded, and
  /// its streams end.
  ///
  /// - Parameters:
  ///   - rows: the aggregator.
  ///   - name: the name.
  ///   - sources: the names of sources that must be connected for the process to be ready.
  ///   - isDropping: `true` if the end does not wait for events in the lines: see `finish(droppingPending:)`.
  public init<Key, State>(
    _ rows: KeyedAggregator<Key, State>,
    as name: String,
    requiring sources: [String] = [],
    droppingPending isDropping: Bool = false
  ) {
    self.init(states: rows, name, sources, isDropping)
  }

  private init(states: some ReportingStates, _ name: String, _ required: [String], _ isDropping: Bool) {
    self.init(
      name: name,
      stage: .states,
      watch: { monitor in
        monitor.watch(states)
        let events = Atomic(0)
        monitor.keep(states.events.subscribe { _ in events.add(1, ordering: .relaxed) })
        monitor.counter("rasp.events") { events.load(ordering: .relaxed) }
        monitor.gauge("rasp.events.waiting") { states.pendingCount }
        monitor.counter("rasp.events.dropped") { states.droppedCount }
        monitor.keep(
          states.sourceFailures.subscribe { failure in
            // A source with a name reports the change of its health.
            if failure.name == nil {
              monitor.logger.error("a source has failed", metadata: ["error": "\(failure.error)"])
            }
          }
        )
        monitor.keep(states.healthChanges.subscribe { monitor.note($0) })
        monitor.eachPeriod {
          for source in states.sources {
            monitor.record(
              source.status.isConnected ? 1 : 0,
              of: source.name,
              as: "source",
              in: "rasp.source.connected"
            )
            monitor.record(source.outages, of: source.name, as: "source", in: "rasp.source.outages")
          }
        }
      },
      problems: {
        let sources = states.sources
        return required.compactMap { name in
          guard let source = sources.first(where: { $0.name == name }) else { return "the source \(name) is not there" }
          return source.status.isConnected ? nil : "the source \(name) \(source.status.sentence)"
        }
      },
      end: {
        // The observer gets the end behind all events that were accepted, so they are folded, and in the journal's
        // line.
        let (ended, end) = AsyncStream<Void>.makeStream()
        let token = states.events.subscribe { _ in
        } onEnd: { _ in
          end.finish()
        }
        states.finish(droppingPending: isDropping)
        for await _ in ended {}
        token.cancel()
      }
    )
  }
}

/// What both kinds of aggregators report.
private protocol ReportingStates: ReportingFold {
  var events: Observable<State.Event, Never> { get }
  var sourceFailures: Observable<SourceFailure, Never> { get }
  var healthChanges: Observable<SourceHealth, Never> { get }
  var sources: [SourceHealth] { get }
  var pendingCount: Int { get }
  var droppedCount: Int { get }

  @discardableResult
  func finish(droppingPending isDropping: Bool) -> Bool
}

extension Aggregator: ReportingStates {}
extension KeyedAggregator: ReportingStates {}

extension PartMonitor {
  fileprivate func note(_ health: SourceHealth) {
    let metadata: Logger.Metadata = ["source": "\(health.name)", "attempts": "\(health.attempts)"]
    logger.log(level: health.status.level, "a source \(health.status.sentence)", metadata: metadata)
  }
}

extension SourceHealth.Status {
  fileprivate var isConnected: Bool {
    if case .connected = self { true } else { false }
  }

  fileprivate var sentence: String {
    switch self {
    case .connected: "is connected"
    case .retrying: "has failed and tries again"
    case .ended: "has ended"
    case .failed(let error): "has failed: \(error)"
    case .removed: "was removed"
    }
  }

  fileprivate var level: Logger.Level {
    switch self {
    case .connected, .ended, .removed: .info
    case .retrying: .warning
    case .failed: .error
    }
  }
}
