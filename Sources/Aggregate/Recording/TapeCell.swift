import RASPSupport
import Streams
import Synchronization

/// What one shard keeps on tape.
package protocol TapeContents: SendableMetatype {
  associatedtype Event: Sendable

  /// - Parameters:
  ///   - cell: keeps the contents, and is kept alive as long as they are used.
  ///   - channel: where the events go besides, kept alive by the cell.
  init(in cell: TapeCell, _ channel: TapeChannel<Event>?)

  /// Gives back what it owns.
  func deallocate()
}

extension TapeContents {
  fileprivate static func deallocate(_ memory: UnsafeMutableRawPointer, count: Int) {
    let tapes = memory.assumingMemoryBound(to: Self.self)
    for shard in 0..<count { tapes[shard].deallocate() }
    tapes.deinitialize(count: count)
    tapes.deallocate()
  }
}

/// The memory of the tapes of one aggregator: one for each shard, and one numbering. It does not depend on their type,
/// so an aggregator is made and released without a look at it.
///
/// Safe to share: the owner of a shard's queue changes its tape inside of ``QueueAccess/change(_:)``, together with
/// what the queue shares. Other threads copy what is on it as they copy a state. The number is atomic. The rest does
/// not change.
@usableFromInline
package final class TapeCell: Sendable {
  package let lane: Int
  /// `nil` if each recorder has a name of its own.
  package let name: String?
  package let clock: TapeClock
  /// The number of the newest event in all tapes, for those that are numbered together.
  @usableFromInline package let newest: Atomic<Int64>

  private let type: any TapeContents.Type
  private let tapes: SharedAddress<UnsafeMutableRawPointer>
  private let count: Int
  /// What the tapes refer to, and who takes from there.
  private let channel: (any AnyObject & Sendable)?
  private let owner: (any AnyObject & Sendable)?

  /// - Parameters:
  ///   - name: `nil` if each recorder has a name of its own.
  ///   - newest: the number before the first one.
  private init<Contents: TapeContents>(
    of type: Contents.Type,
    as name: String?,
    lane: Int,
    _ clock: TapeClock,
    after newest: Int = 0,
    shards count: Int,
    _ channel: TapeChannel<Contents.Event>? = nil,
    for owner: (any AnyObject & Sendable)? = nil
  ) {
    self.lane = lane
    self.name = name
    self.clock = clock
    self.newest = Atomic(Int64(newest))
    self.type = type
    self.count = count
    self.channel = channel
    self.owner = owner
    let tapes = UnsafeMutablePointer<Contents>.allocate(capacity: count)
    self.tapes = SharedAddress(UnsafeMutableRawPointer(tapes))
    for shard in 0..<count { (tapes + shard).initialize(to: Contents(in: self, channel)) }
  }

  package convenience init(of type: (some TapeContents).Type, as name: String, clock: TapeClock, shards: Int = 1) {
    self.init(of: type, as: name, lane: CauseLanes.next(), clock, shards: shards)
  }

  /// Makes the memory of a tape that goes on where something else ended. The channel takes the events of one thread at
  /// a time, so there is one shard.
  package convenience init<State: AggregateState, Contents: TapeContents>(
    of type: Contents.Type,
    _ continuation: Continuation<State>
  ) where Contents.Event == State.Event {
    self.init(
      of: type,
      as: nil,
      lane: continuation.lane,
      continuation.clock,
      after: continuation.newest,
      shards: 1,
      continuation.channel,
      for: continuation.owner
    )
  }

  deinit {
    type.deallocate(tapes.pointer, count: count)
  }

  /// The tape of a shard.
  package func tape<Contents: TapeContents>(of type: Contents.Type, shard: Int = 0) -> UnsafePointer<Contents> {
    assert(type == self.type && shard < count, "A tape is not what it is taken for.")
    return UnsafePointer(tapes.pointer.assumingMemoryBound(to: type)) + shard
  }
}
