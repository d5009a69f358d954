// Names of RaspSwift that are spelt differently here, and what a stream has and an aggregator has not, because it has
// several. They are declared as unavailable, so that the compiler says what to write instead.

public import Streams

extension Aggregator {
  /// A name of RaspSwift.
  @available(*, unavailable, renamed: "send(_:)")
  public func manual(event: State.Event) { send(event) }

  /// A name of RaspSwift.
  @available(*, unavailable, renamed: "states")
  public var state: Observable<State, Never> { states }

  /// What streams and selections have.
  @available(*, unavailable, message: "write 'states.subscribe { … }', or 'select(…).subscribe { … }' for one field")
  public func subscribe(_ onValue: @escaping @Sendable (State) -> Void) -> Subscription { states.subscribe(onValue) }
}

/// What the sequences of an aggregator have.
@available(
  *,
  unavailable,
  message: "write 'states', or 'select(…)' for one field: they have 'first(where:)', the operators, and 'values'"
)
extension Aggregator: AsyncSequence {
  /// The element of ``states``.
  public typealias Element = State

  /// Makes the iterator of the newest state.
  @available(*, unavailable, message: "write 'states', or 'select(…)' for one field, and loop over its 'values'")
  public func makeAsyncIterator() -> AsyncValues<State, Never>.AsyncIterator {
    states.values(buffering: .newest(1)).makeAsyncIterator()
  }
}

extension AggregateState {
  /// A name of RaspSwift.
  @available(*, unavailable, renamed: "apply(_:)")
  public mutating func apply(event: Event) throws(Rejection) { try apply(event) }
}
