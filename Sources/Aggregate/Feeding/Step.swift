import RASPSupport
import Streams

/// One event for those who see each one: where it is, and where the state is that it has led to. Nothing is copied for
/// it.
///
/// Safe to share: the owner of the queue hands it to the subscribers of one round, and none of them keeps it. The event
/// and the state are there, and do not change, until the round is over.
@usableFromInline
package struct Step<State: AggregateState>: Sendable {
  @usableFromInline let eventAddress: SharedAddress<UnsafePointer<State.Event>>
  @usableFromInline let stateAddress: SharedAddress<UnsafePointer<State>>?
  @usableFromInline let source: SourceID?
  /// What brought the event about; `nil` if that is what is being delivered.
  @usableFromInline let cause: Cause?

  @inlinable
  @inline(__always)
  init(event: UnsafePointer<State.Event>, state: UnsafePointer<State>?, source: SourceID?, cause: Cause?) {
    eventAddress = SharedAddress(event)
    stateAddress = state.map { SharedAddress($0) }
    self.source = source
    self.cause = cause
  }

  @inlinable
  var event: UnsafePointer<State.Event> { eventAddress.pointer }

  /// `nil` if the state has refused the event.
  @inlinable
  var state: UnsafePointer<State>? { stateAddress?.pointer }
}
