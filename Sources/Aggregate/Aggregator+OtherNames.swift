// Names of RaspSwift that are spelt differently here. They are declared as unavailable, so that the compiler says what
// to write instead.

public import Streams

extension Aggregator {
  /// A name of RaspSwift.
  @available(*, unavailable, renamed: "send(_:)")
  public func manual(event: State.Event) { send(event) }

  /// A name of RaspSwift.
  @available(*, unavailable, renamed: "states")
  public var state: Observable<State, Never> { states }
}

extension AggregateState {
  /// A name of RaspSwift.
  @available(*, unavailable, renamed: "apply(_:)")
  public mutating func apply(event: Event) throws(Rejection) { try apply(event) }
}
