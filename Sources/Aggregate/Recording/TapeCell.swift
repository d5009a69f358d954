import Streams

/// The memory of a tape.
///
/// Safe to share: the owner of the aggregator's queue changes the tape, together with the state, while the state is
/// claimed. Other threads copy what is on it as they copy the state.
@usableFromInline
final class TapeCell<State: AggregateState>: @unchecked Sendable {
  let lane: Int
  let name: String
  let clock: TapeClock
  let tape: UnsafeMutablePointer<Tape<State>>

  init(lane: Int, name: String, clock: TapeClock) {
    self.lane = lane
    self.name = name
    self.clock = clock
    tape = .allocate(capacity: 1)
    tape.initialize(to: Tape(lane: lane, clock: clock))
  }

  deinit {
    tape.pointee.items.deallocate()
    tape.deinitialize(count: 1)
    tape.deallocate()
  }
}
