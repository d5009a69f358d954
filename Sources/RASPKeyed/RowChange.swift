import Aggregate

/// What happened to one row of a ``KeyedAggregator``.
public enum RowChange<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  /// The row was made, and this is its first state; or it was there when the subscriber came.
  case inserted(Key, State)

  /// An event was folded into the row, and this is its state after it.
  case updated(Key, State)

  /// The row was removed, and this is the last state it had.
  case removed(Key, last: State, RowRemoval)

  /// The key of the row.
  public var key: Key {
    switch self {
    case .inserted(let key, _), .updated(let key, _), .removed(let key, _, _): key
    }
  }
}

extension RowChange: Equatable where State: Equatable {}

extension RowChange: Hashable where State: Hashable {}
