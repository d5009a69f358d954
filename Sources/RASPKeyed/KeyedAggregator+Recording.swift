import Aggregate
import RASPPrimitives
import RASPSupport
import Streams

extension AggregatorTape {
  /// Begins to record the rows of a keyed aggregator, behind everything that was accepted.
  package init<Key, Row>(
    of aggregator: KeyedAggregator<Key, Row>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock
  ) where State == RecordedRows<Key, Row> {
    let core = aggregator.core
    let tape = core.record(as: name, last: count, keepingBase: keepingBase, clock: clock)
    let name = tape.steps.name ?? name
    self.init(lane: tape.steps.lane, name: name, clock: tape.steps.clock) {
      core.report($0)
    } read: { row in
      // From inside `apply` there is nothing.
      tape.recording(as: name, with: row as? Key) { core.shards[0].read($0) }
        ?? Recording(name: name, lane: tape.steps.lane, initial: State(rows: [:]), entries: [], state: State(rows: [:]))
    } leave: {
      core.endRecording(onto: tape)
    }
  }

  /// What has been recorded of rows, and the row of a key, also if no event concerns it.
  package func recording<Key, Row>(with key: Key) -> Recording<State> where State == RecordedRows<Key, Row> {
    recording(withRow: key)
  }
}

extension KeyedCore {
  /// Begins to record, behind everything that was accepted, as `AggregatorCore` does. What is recorded has one shard:
  /// the rows of a log, which may have several, are not.
  func record(as name: String, last count: Int, keepingBase: Bool, clock: TapeClock) -> KeyedTape<Key, State> {
    let tape = sharedTape.withLock { shared in shared.begin { KeyedTape(Tape(as: name, clock: clock)) } }
    record(onto: tape, last: count, keepingBase: keepingBase)
    return tape
  }

  func record(onto tape: KeyedTape<Key, State>, last count: Int, keepingBase: Bool) {
    assert(shards.count == 1, "Rows in several shards are recorded.")
    shards[0].queue.run { [self] shell, _ in
      // The owner changes it as it does in a fold, so that those who read see the tape and the rows of one moment.
      let replaced = shell.store.change { tape.reserve(count, keepingBases: keepingBase) }
      withExtendedLifetime(replaced) {}
      // One that has been released meanwhile records nothing.
      let isUsed = sharedTape.withLock { $0.tape === tape }
      if isUsed, !shell.tree.hasEnded { shell.record(onto: tape) }
    }
  }

  /// Ends the use of a tape. The last recorder that leaves ends the recording.
  func endRecording(onto tape: KeyedTape<Key, State>) {
    guard sharedTape.withLock({ $0.end(tape) }) else { return }
    shards[0].queue.runWithoutDelivering { shell, access in shell.endRecording(onto: tape) }
  }
}
