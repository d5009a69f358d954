import RASPSupport
import Streams

/// The memory of a tape, for those who keep it and do not know its types: an aggregator is made and released without a
/// look at them.
///
/// Safe to share: it has nothing that changes.
@usableFromInline
class AnyTapeCell: @unchecked Sendable {}

/// The memory of a tape.
///
/// Safe to share: the owner of the aggregator's queue changes the tape, together with the state, while the state is
/// claimed. Other threads copy what is on it as they copy the state.
@usableFromInline
final class TapeCell<State: AggregateState>: AnyTapeCell, @unchecked Sendable {
  let lane: Int
  /// `nil` if each recorder has a name of its own.
  let name: String?
  let clock: TapeClock
  let tape: UnsafeMutablePointer<Tape<State>>

  /// What the tape refers to, and who takes from there.
  private let channel: TapeChannel<State.Event>?
  private let owner: (any AnyObject & Sendable)?

  init(lane: Int, name: String, clock: TapeClock) {
    self.lane = lane
    self.name = name
    self.clock = clock
    channel = nil
    owner = nil
    tape = .allocate(capacity: 1)
    tape.initialize(to: Tape(lane: lane, clock: clock))
  }

  init(_ continuation: Continuation<State>) {
    lane = continuation.lane
    name = nil
    clock = continuation.clock
    channel = continuation.channel
    owner = continuation.owner
    tape = .allocate(capacity: 1)
    tape.initialize(
      to: Tape(
        lane: lane,
        clock: clock,
        newest: Int64(continuation.newest),
        channel: .passUnretained(continuation.channel)
      )
    )
  }

  deinit {
    tape.pointee.items.deallocate()
    tape.deinitialize(count: 1)
    tape.deallocate()
  }
}
