public import Aggregate
public import RASPKeyed
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
    // Before the first source can send. The closure is made where the types of the rows are known.
    core.attach(continuation, inOrder: options.evicting != .never) { $0.hook }
    core.replaceSources(with: newcomers)
  }
}

extension KeyedCore {
  /// Puts in the rows that were there, and has a journal get each step from then on.
  @usableFromInline
  func attach(
    _ continuation: Continuation<RecordedRows<Key, State>>,
    inOrder isOrdered: Bool,
    hooking: (KeyedTape<Key, State>) -> Hook
  ) {
    let rows = Array(continuation.state.rows)
    // The order of a dictionary is another one in each process, and eviction goes by the order.
    let names = isOrdered ? rows.map { (name: "\($0.key)", row: $0) }.sorted { $0.name < $1.name } : []
    restore(isOrdered ? names.map(\.row) : rows)
    let tape = KeyedTape<Key, State>(Tape(continuing: continuation))
    // The aggregator has just been made, so this is its first hook.
    let hook = recording.withLock { $0.begin { hooking(tape) } }
    begin(hook) { tape.reserve(0, keepingBases: false) }
    // What is too many goes now, and the journal gets to know of it.
    evict()
  }
}
