import RASPSupport
import Streams
import Synchronization

/// What an aggregator keeps on tape.
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
  fileprivate static func deallocate(_ memory: UnsafeMutableRawPointer) {
    let tape = memory.assumingMemoryBound(to: Self.self)
    tape.pointee.deallocate()
    tape.deinitialize(count: 1)
    tape.deallocate()
  }
}

/// The memory of the tape of one aggregator. It does not depend on its type, so an aggregator is made and released
/// without a look at it.
///
/// Safe to share: the owner of the queue changes the tape behind the gate of the state, together with the state. Other
/// threads copy what is on it there. The number is atomic. The rest does not change.
@usableFromInline
package final class TapeCell: Sendable {
  package let lane: Int
  /// `nil` if each recorder has a name of its own.
  package let name: String?
  package let clock: TapeClock
  /// The number of the newest event, for those that are numbered before they are folded.
  @usableFromInline package let newest: Atomic<Int64>

  private let type: any TapeContents.Type
  private let tape: SharedAddress<UnsafeMutableRawPointer>
  /// What the tape refers to, and who takes from there.
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
    _ channel: TapeChannel<Contents.Event>? = nil,
    for owner: (any AnyObject & Sendable)? = nil
  ) {
    self.lane = lane
    self.name = name
    self.clock = clock
    self.newest = Atomic(Int64(newest))
    self.type = type
    self.channel = channel
    self.owner = owner
    let tape = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
    self.tape = SharedAddress(UnsafeMutableRawPointer(tape))
    tape.initialize(to: Contents(in: self, channel))
  }

  package convenience init(of type: (some TapeContents).Type, as name: String, clock: TapeClock) {
    self.init(of: type, as: name, lane: CauseLanes.next(), clock)
  }

  /// Makes the memory of a tape that goes on where something else ended.
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
      continuation.channel,
      for: continuation.owner
    )
  }

  deinit {
    type.deallocate(tape.pointer)
  }

  package func tape<Contents: TapeContents>(of type: Contents.Type) -> UnsafePointer<Contents> {
    assert(type == self.type, "A tape is not what it is taken for.")
    return UnsafePointer(tape.pointer.assumingMemoryBound(to: type))
  }
}
