public import Aggregate
public import RASPKeyed
import Streams

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
        monitor.watchSources(of: states)
        monitor.counter("rasp.events.dropped") { states.droppedCount }
      },
      problems: { states.problems(ofSources: required) },
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

/// What both kinds of aggregators have besides.
private protocol ReportingStates: SourcedFold {
  var droppedCount: Int { get }

  @discardableResult
  func finish(droppingPending isDropping: Bool) -> Bool
}

extension Aggregator: ReportingStates {}
extension KeyedAggregator: ReportingStates {}
