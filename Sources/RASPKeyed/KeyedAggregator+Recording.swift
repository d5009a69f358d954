import Aggregate
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
  /// Begins to record, behind everything that was accepted, as `AggregatorCore` does.
  /// Each shard has room for the whole number of events, because all of them may belong to one.
  func record(as name: String, last count: Int, keepingBase: Bool, clock: TapeClock) -> TapeCell {
    let cell = sharedTape.withLock { [shards] shared in
      shared.begin { TapeCell(of: KeyedTape<Key, State>.self, as: name, clock: clock, shards: shards.count) }
    }
    record(onto: cell, last: count, keepingBase: keepingBase)
    return cell
  }

  func record(onto cell: TapeCell, last count: Int, keepingBase: Bool) {
    for (index, shard) in shards.enumerated() {
      shard.queue.run { [self] shell, access in
        // The owner changes it as it does in a fold, so that those who read see the tape and the rows of one moment.
        let tape = cell.tape(of: KeyedTape<Key, State>.self, shard: index)
        let replaced = access.change { access.changed(tape).pointee.reserve(count, keepingBases: keepingBase) }
        replaced?.deallocate()
        // One that has been released meanwhile records nothing.
        let isUsed = sharedTape.withLock { $0.tape === cell }
        if isUsed, !shell.tree.hasEnded { shell.record(onto: cell, shard: index) }
      }
    }
  }

  /// Ends the use of a tape. The last recorder that leaves ends the recording.
  func endRecording(onto cell: TapeCell) {
    guard sharedTape.withLock({ $0.end(cell) }) else { return }
    for shard in shards {
      shard.queue.maintain { shell, access in shell.endRecording(onto: cell) }
    }
  }

  /// What has been recorded in all shards, without a hole: no step is there whose cause in another shard is missing.
  ///
  /// The shards are read one after the other. What happens meanwhile has numbers above the one that is read first, and
  /// is left out. From inside `apply` the shard that is being changed has nothing.
  ///
  /// - Parameter row: the key of a row that is wanted, also if no step concerns it.
  func recording(
    of cell: TapeCell,
    as name: String,
    with row: Key? = nil
  ) -> Recording<RecordedRows<Key, State>> {
    let instant = cell.clock.now
    // One shard is read at one moment.
    let newest = shards.count == 1 ? Int.max : Int(clamping: cell.newest.load(ordering: .acquiring))
    let hashed = row.map { HashedKey($0) }
    let place = hashed.map { router.index(of: $0) }
    var all = KeyedTapePart<Key, State>()
    var count = 0
    for (index, shard) in shards.enumerated() {
      let tape = cell.tape(of: KeyedTape<Key, State>.self, shard: index)
      guard let copy = shard.read({ tape.pointee.copy(beside: $0, with: index == place ? hashed : nil) }) else {
        continue
      }
      all.add(KeyedTapePart(copy))
      count = max(count, copy.limit)
    }
    return all.recording(as: name, lane: cell.lane, upTo: newest, last: count, with: row, at: instant)
  }
}
