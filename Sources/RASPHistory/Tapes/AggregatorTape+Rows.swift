import Aggregate
import RASPKeyed
import Streams

extension AggregatorTape {
  /// Begins to record the rows of a keyed aggregator, behind everything that was accepted.
  @inlinable
  package init<Key, Row>(
    of aggregator: KeyedAggregator<Key, Row>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock
  ) where State == RecordedRows<Key, Row> {
    // The closure is made where the types of the rows are known.
    self.init(of: aggregator.core, as: name, last: count, keepingBase: keepingBase, clock: clock) { $0.hook }
  }

  @usableFromInline
  init<Key, Row>(
    of core: KeyedCore<Key, Row>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock,
    hooking: (KeyedTape<Key, Row>) -> KeyedCore<Key, Row>.Hook
  ) where State == RecordedRows<Key, Row> {
    let hook = core.recording.withLock { $0.begin { hooking(KeyedTape(Tape(as: name, clock: clock))) } }
    let tape = hook.recorder(as: KeyedTape<Key, Row>.self)
    core.begin(hook) { tape.reserve(count, keepingBases: keepingBase) }
    let name = tape.steps.name ?? name
    self.init(lane: tape.steps.lane, name: name, clock: tape.steps.clock) {
      core.report($0)
    } read: { row in
      // From inside `apply` there is nothing.
      tape.recording(as: name, with: row as? Key, of: core)
        ?? Recording(name: name, lane: tape.steps.lane, initial: State(rows: [:]), entries: [], state: State(rows: [:]))
    } leave: {
      core.leave(hook)
    }
  }

  /// What has been recorded of rows, and the row of a key, also if no event concerns it.
  package func recording<Key, Row>(with key: Key) -> Recording<State> where State == RecordedRows<Key, Row> {
    recording(withRow: key)
  }
}
