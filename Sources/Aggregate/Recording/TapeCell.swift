import RASPSupport
import Streams
import Synchronization

/// What a tape is made with.
struct TapeSetup<Event: Sendable>: ~Copyable {
  let lane: Int
  let clock: TapeClock
  /// The number before the first one.
  let newest: Int64
  /// The number of the newest event in all tapes of one cell.
  let newestOfAll: UnsafeMutablePointer<Atomic<Int64>>
  let channel: TapeChannel<Event>?
}

/// What one shard keeps on tape.
@usableFromInline
protocol TapeContents {
  func deallocate()
}

/// The memory of tapes, for those who keep it and do not know its types: an aggregator is made and released without a look at
/// them.
///
/// Safe to share: it has nothing that changes.
@usableFromInline
class AnyTapeCell: @unchecked Sendable {}

/// The memory of the tapes of one aggregator: one for each shard, and one numbering.
///
/// Safe to share: the owner of a shard's queue changes its tape, together with what the queue protects, while that is
/// claimed. Other threads copy what is on it as they copy a state. The number is atomic. The rest does not change.
@usableFromInline
final class TapeCell<Contents: TapeContents>: AnyTapeCell, @unchecked Sendable {
  let lane: Int
  /// `nil` if each recorder has a name of its own.
  let name: String?
  let clock: TapeClock
  let newest: UnsafeMutablePointer<Atomic<Int64>>
  let tapes: UnsafeMutableBufferPointer<Contents>

  /// What the tapes refer to, and who takes from there.
  private let channel: AnyObject?
  private let owner: (any AnyObject & Sendable)?

  /// - Parameter name: `nil` if each recorder has a name of its own.
  init<Event>(
    as name: String?,
    _ lane: Int,
    _ clock: TapeClock,
    newest number: Int = 0,
    shards: Int = 1,
    channel: TapeChannel<Event>? = nil,
    owner: (any AnyObject & Sendable)? = nil,
    _ make: (borrowing TapeSetup<Event>) -> Contents
  ) {
    self.lane = lane
    self.name = name
    self.clock = clock
    self.channel = channel
    self.owner = owner
    newest = .allocate(capacity: 1)
    newest.initialize(to: Atomic(Int64(number)))
    let setup = TapeSetup(lane: lane, clock: clock, newest: Int64(number), newestOfAll: newest, channel: channel)
    tapes = .allocate(capacity: shards)
    for shard in 0..<shards { tapes.initializeElement(at: shard, to: make(setup)) }
  }

  deinit {
    for tape in tapes { tape.deallocate() }
    tapes.deinitialize()
    tapes.deallocate()
    newest.deinitialize(count: 1)
    newest.deallocate()
  }
}

extension TapeCell {
  /// Makes the memory of tapes that go on where something else ended. The channel takes the events of one thread at a time, so
  /// there is one shard.
  convenience init<State>(
    _ continuation: Continuation<State>,
    _ make: (borrowing TapeSetup<State.Event>) -> Contents
  ) {
    self.init(
      as: nil,
      continuation.lane,
      continuation.clock,
      newest: continuation.newest,
      channel: continuation.channel,
      owner: continuation.owner,
      make
    )
  }
}
