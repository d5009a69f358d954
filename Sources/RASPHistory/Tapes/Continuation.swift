import Aggregate
import Streams

/// A state that an aggregator continues, and the thread that gets each event.
@usableFromInline
package struct Continuation<State: AggregateState>: Sendable {
  @usableFromInline package let state: State
  /// The number of the event that has led to the state.
  package let newest: Int
  package let lane: Int
  package let clock: TapeClock
  package let channel: TapeChannel<State.Event>
  /// An object that lives as long as the aggregator.
  package let owner: any AnyObject & Sendable

  package init(
    of state: State,
    newest: Int,
    lane: Int,
    clock: TapeClock,
    channel: TapeChannel<State.Event>,
    owner: any AnyObject & Sendable
  ) {
    self.state = state
    self.newest = newest
    self.lane = lane
    self.clock = clock
    self.channel = channel
    self.owner = owner
  }
}
