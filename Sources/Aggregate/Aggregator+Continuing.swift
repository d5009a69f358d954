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
    // Before the first source can send.
    core.attach(continuation)
    core.replaceSources(with: newcomers)
  }

  /// A closure that ends the aggregator, and calls another one when all that was accepted is in the channel. It does
  /// not keep the aggregator alive.
  @usableFromInline package var endOfContinuation: @Sendable (@escaping @Sendable () -> Void) -> Void {
    { [weak core] then in if let core { core.endContinuation(then) } else { then() } }
  }

  /// A closure that tells what the journal has lost, and returns whether there is a subscriber. It does not keep the
  /// aggregator alive.
  @usableFromInline package var reportOfContinuation: @Sendable (String) -> Bool {
    { [weak core] in core?.reports.hubs.tell(.journalFailed($0)) == true }
  }
}

extension AggregatorCore {
  @usableFromInline
  func attach(_ continuation: Continuation<State>) {
    let tape = StateTape<State>(Tape(continuing: continuation))
    // The aggregator has just been made, so this is its first tape.
    sharedTape.withLock { _ = $0.begin { tape } }
    record(onto: tape, last: 0, keepingBase: false)
  }

  func endContinuation(_ then: @escaping @Sendable () -> Void) {
    _ = finish()
    queue.run { _, _ in then() }
    let tape = sharedTape.withLock { $0.tape }
    if let tape { endRecording(onto: tape) }
  }
}
