import RASPSupport
import Streams
import Synchronization

/// The memory of the tapes of one keyed aggregator: one for each shard, and one numbering of their steps.
///
/// Safe to share: the owner of a shard's queue changes its tape while the table is claimed, and other threads copy what
/// is on it as they copy rows. The number is atomic. The rest does not change.
@usableFromInline
final class KeyedTapeCell<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  let lane: Int
  /// `nil` if each recorder has a name of its own.
  let name: String?
  let clock: TapeClock
  let newest: UnsafeMutablePointer<Atomic<Int64>>
  let tapes: [UnsafeMutablePointer<KeyedTape<Key, State>>]

  /// What the tapes refer to, and who takes from there.
  private let channel: TapeChannel<RowStep<Key, State>>?
  private let owner: (any AnyObject & Sendable)?

  convenience init(as name: String, clock: TapeClock, shards: Int) {
    self.init(as: name, lane: CauseLanes.next(), clock: clock, newest: 0, shards: shards)
  }

  /// The channel takes the steps of one thread at a time, so there is one shard.
  convenience init(_ continuation: Continuation<RecordedRows<Key, State>>) {
    self.init(
      as: nil,
      lane: continuation.lane,
      clock: continuation.clock,
      newest: continuation.newest,
      shards: 1,
      channel: continuation.channel,
      owner: continuation.owner
    )
  }

  private init(
    as name: String?,
    lane: Int,
    clock: TapeClock,
    newest number: Int,
    shards: Int,
    channel: TapeChannel<RowStep<Key, State>>? = nil,
    owner: (any AnyObject & Sendable)? = nil
  ) {
    let newest = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: 1)
    newest.initialize(to: Atomic(Int64(number)))
    self.lane = lane
    self.name = name
    self.clock = clock
    self.newest = newest
    self.channel = channel
    self.owner = owner
    tapes = (0..<shards).map { _ in
      let tape = UnsafeMutablePointer<KeyedTape<Key, State>>.allocate(capacity: 1)
      tape.initialize(
        to: KeyedTape(lane: lane, clock: clock, newest: newest, channel: channel.map { .passUnretained($0) })
      )
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
