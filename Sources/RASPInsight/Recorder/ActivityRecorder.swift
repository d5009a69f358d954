import RASPHistory
import RASPSupport
import Streams

/// Keeps the newest executions and events of an engine, or the newest actions of a cluster, until it is released.
///
/// - Concurrency: every member may be called from any thread, at any time.
public final class ActivityRecorder: Sendable {
  private let hook: OccurrenceHook
  private let tape: OccurrenceTape
  private let lanes: LaneList
  private let kind: Timeline.Kind

  init(
    _ activity: _Activity,
    as name: String,
    last count: Int,
    beside lanes: LaneList
  ) {
    hook = activity.hook
    tape = hook.record(as: name, last: count, clock: lanes.clock)
    self.lanes = lanes
    kind =
      switch activity.kind {
      case .engine: .engine
      case .cluster: .cluster
      }
  }

  deinit { hook.end(tape) }

  /// What has been recorded, as it is drawn.
  ///
  /// - Complexity: O(n), n being the number of occurrences.
  public var timeline: Timeline {
    let history = history
    return Timeline(lanes: [history.drawnLane], occurrences: history.drawnOccurrences)
  }

  /// The actions of a type that were recorded, the oldest first, as they were sent; of an engine the commands of a
  /// type.
  ///
  /// With them a rule that lives in a reducer is replayed as a test:
  ///
  ///     let motions = recorder.recorded(Motion.self)
  ///     await given(state: Light.self) { Reducer(state: Light(), reduce: Light.reduce) }
  ///       .when(motions)
  ///       .then(sent: [Switch(lamp: "hall", isOn: true)]) { $0.isOn = true }
  ///
  /// - Ordering: as they were sent. Actions that were sent at the same time may have been folded in another order.
  /// - Complexity: O(n), n being the number of occurrences.
  public func recorded<Subject: Sendable>(_ type: Subject.Type) -> [Subject] {
    tape.occurrences.compactMap { $0.subject as? Subject }
  }

  /// Explains an execution, an event or an action: what brought it about.
  ///
  /// - Parameter number: its number in the lane, as in ``timeline``.
  /// - Complexity: O(n) for each lane that a cause leads to.
  public func why(event number: Int) -> Explanation {
    Explanation(ofEvent: number, in: history, by: lanes.present)
  }
}

extension ActivityRecorder: RecordedLane {
  var number: Int { tape.lane }

  var history: any LaneHistory {
    ActivityHistory(laneName: tape.name, laneNumber: tape.lane, kind: kind, occurrences: tape.occurrences)
  }
}
