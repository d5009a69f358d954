import Streams
import Synchronization

/// The memory of the tapes of one keyed aggregator: one for each shard, and one numbering of their steps.
///
/// Safe to share: the owner of a shard's queue changes its tape while the table is claimed, and other threads copy what
/// is on it as they copy rows. The number is atomic. The rest does not change.
@usableFromInline
final class KeyedTapeCell<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  let lane: Int
  let name: String
  let clock: TapeClock
  let newest: UnsafeMutablePointer<Atomic<Int64>>
  let tapes: [UnsafeMutablePointer<KeyedTape<Key, State>>]

  init(as name: String, clock: TapeClock, shards: Int) {
    let lane = CauseLanes.next()
    let newest = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: 1)
    newest.initialize(to: Atomic(0))
    self.lane = lane
    self.name = name
    self.clock = clock
    self.newest = newest
    tapes = (0..<shards).map { _ in
      let tape = UnsafeMutablePointer<KeyedTape<Key, State>>.allocate(capacity: 1)
      tape.initialize(to: KeyedTape(lane: lane, clock: clock, newest: newest))
      return tape
    }
  }

  deinit {
    for tape in tapes {
      tape.pointee.deallocate()
      tape.deinitialize(count: 1)
      tape.deallocate()
    }
    newest.deinitialize(count: 1)
    newest.deallocate()
  }
}
