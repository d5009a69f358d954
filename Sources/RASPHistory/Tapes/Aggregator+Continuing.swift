public import Aggregate
public import Streams

extension Aggregator {
  /// Makes an aggregator that goes on from a state. Each event is put into the channel before its round.
  @inlinable
  @inline(__always)
  package convenience init<each Failure: Error>(
    continuing continuation: Continuation<State>,
    buffering policy: BufferingPolicy,
    sources: repeat Observable<State.Event, each Failure>
  ) {
    var newcomers: [AnySource<State.Event>] = []
    repeat newcomers.append(AnySource(each sources))
    self.init(continuing: continuation, policy: policy, newcomers: newcomers)
  }

  /// Makes an aggregator that goes on from a state, with an array of sources.
  @inlinable
  package convenience init<Failure: Error>(
    continuing continuation: Continuation<State>,
    buffering policy: BufferingPolicy,
    sources: [Observable<State.Event, Failure>]
  ) {
    self.init(continuing: continuation, policy: policy, newcomers: sources.map { AnySource($0) })
  }

  @inlinable
  convenience init(
    continuing continuation: Continuation<State>,
    policy: BufferingPolicy,
    newcomers: [AnySource<State.Event>]
  ) {
    self.init(initial: continuation.state, policy: policy, newcomers: [])
    // Before the first source can send. The closure is made where the type of the state is known.
    core.attach(continuation) { $0.hook }
    if !newcomers.isEmpty { core.add(newcomers) }
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
