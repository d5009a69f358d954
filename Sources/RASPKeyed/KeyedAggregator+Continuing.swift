import Aggregate
import Streams

extension KeyedAggregator {
  /// Makes an aggregator with the rows of a state. What happens to its rows is put into the channel
  /// before its round, also the eviction of rows that are more than it keeps.
  @inlinable
  package convenience init(
    continuing continuation: Continuation<RecordedRows<Key, State>>,
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    options: KeyedOptions,
    newcomers: [AnySource<State.Event>]
  ) {
    self.init(shards: 1, by: key, initial: initial, options: options)
    // Before the first source can send.
    core.attach(continuation, inOrder: options.evicting != .never)
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

extension KeyedCore {
  /// - Parameter isOrdered: whether the rows come in the order of the descriptions of their keys. That of a dictionary
  ///   differs from process to process, and so would the rows that are evicted first.
  @usableFromInline
  func attach(_ continuation: Continuation<RecordedRows<Key, State>>, inOrder isOrdered: Bool) {
    let rows = continuation.state.rows
    let keys = isOrdered ? rows.keys.map { (name: "\($0)", key: $0) }.sorted { $0.name < $1.name }.map(\.key) : []
    shards[0].queue.run { shell, access in
      for key in keys { if let row = rows[key] { shell.restore(row, for: key, access) } }
      if !isOrdered { for (key, row) in rows { shell.restore(row, for: key, access) } }
    }
    let tape = KeyedTape<Key, State>(Tape(continuing: continuation))
    // The aggregator has just been made, so this is its first tape.
    sharedTape.withLock { _ = $0.begin { tape } }
    record(onto: tape, last: 0, keepingBase: false)
    shards[0].queue.run { shell, access in
      shell.evict(access)
    }
  }

  func endContinuation(_ then: @escaping @Sendable () -> Void) {
    _ = finish()
    shards[0].queue.run { _, _ in then() }
    let tape = sharedTape.withLock { $0.tape }
    if let tape { endRecording(onto: tape) }
  }
}
