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
    let cell = core.record(as: name, last: count, keepingBase: keepingBase, clock: clock)
    let name = cell.name ?? name
    self.init(lane: cell.lane, name: name, clock: cell.clock) {
      core.report($0)
    } read: { row in
      core.recording(of: cell, as: name, with: row as? Key)
    } leave: {
      core.endRecording(onto: cell)
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
  func record(as name: String, last count: Int, keepingBase: Bool, clock: TapeClock) -> TapeCell {
    let cell = sharedTape.withLock { shared in
      shared.begin { TapeCell(of: KeyedTape<Key, State>.self, as: name, clock: clock) }
    }
    record(onto: cell, last: count, keepingBase: keepingBase)
    return cell
  }

  func record(onto cell: TapeCell, last count: Int, keepingBase: Bool) {
    assert(shards.count == 1, "Rows in several shards are recorded.")
    shards[0].queue.run { [self] shell, _ in
      // The owner changes it as it does in a fold, so that those who read see the tape and the rows of one moment.
      let tape = cell.tape(of: KeyedTape<Key, State>.self)
      let store = shell.store
      let replaced = store.change {
        store.folding.gate.changed(tape).pointee.reserve(count, keepingBases: keepingBase)
      }
      replaced?.deallocate()
      // One that has been released meanwhile records nothing.
      let isUsed = sharedTape.withLock { $0.tape === cell }
      if isUsed, !shell.tree.hasEnded { shell.record(onto: cell) }
    }
  }

  /// Ends the use of a tape. The last recorder that leaves ends the recording.
  func endRecording(onto cell: TapeCell) {
    guard sharedTape.withLock({ $0.end(cell) }) else { return }
    shards[0].queue.runWithoutDelivering { shell, access in shell.endRecording(onto: cell) }
  }

  /// What has been recorded. From inside `apply` there is nothing.
  ///
  /// - Parameter row: the key of a row that is wanted, also if no step concerns it.
  func recording(
    of cell: TapeCell,
    as name: String,
    with row: Key? = nil
  ) -> Recording<RecordedRows<Key, State>> {
    let instant = cell.clock.now
    let tape = cell.tape(of: KeyedTape<Key, State>.self)
    let copy = shards[0].read { tape.pointee.copy(beside: $0, with: row) } ?? KeyedTapeCopy()
    return copy.recording(as: name, lane: cell.lane, at: instant)
  }
}
