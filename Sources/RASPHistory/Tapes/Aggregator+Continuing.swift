public import Aggregate
public import Streams

extension Aggregator {
  /// Makes an aggregator that goes on from a state. Each event is put into the channel before its round.
  @inlinable
  package convenience init(
    continuing continuation: Continuation<State>,
    buffering policy: BufferingPolicy,
    newcomers: [AnySource<State.Event>]
  ) {
    self.init(initial: continuation.state, policy: policy, newcomers: [])
    // Before the first source can send. The closure is made where the type of the state is known.
    core.attach(continuation) { $0.hook }
    core.replaceSources(with: newcomers)
  }
}

extension AggregatorCore {
  @usableFromInline
  func attach(_ continuation: Continuation<State>, hooking: (StateTape<State>) -> Hook) {
    let tape = StateTape<State>(Tape(continuing: continuation))
    // The aggregator has just been made, so this is its first hook.
    let hook = recording.withLock { $0.begin { hooking(tape) } }
    begin(hook) { tape.reserve(0, keeping: nil) }
  }
}

extension RecordedCore {
  /// Ends an aggregator that goes on from a state, and what has got its events since.
  ///
  /// - Parameter then: is called when all that was accepted is in the channel.
  package func endContinuation(_ then: @escaping @Sendable () -> Void) {
    finish(then: then)
    if let hook = recording.withLock({ $0.hook }) { leave(hook) }
  }
}
