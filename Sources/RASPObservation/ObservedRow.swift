public import Aggregate
public import RASPKeyed

/// A row of a keyed aggregator as an ``Observed`` shows it: a state that may not be there, with the fields of the row
/// as optionals.
///
///     let acme = Observed(quotes, key: "ACME")
///     acme.price                                  // nil while there is no such row; tracked for this field alone
///     acme.state                                  // the whole row, or nil
@dynamicMemberLookup
public struct ObservedRow<Key: Hashable & Sendable, Row: AggregateState>: AggregateState {
  /// The key of the row.
  public let key: Key

  /// The state of the row; `nil` while there is no such row.
  public private(set) var state: Row?

  private let keyOf: @Sendable (Row.Event) -> Key

  @usableFromInline
  init(_ state: Row?, key: Key, keyOf: @escaping @Sendable (Row.Event) -> Key) {
    self.state = state
    self.key = key
    self.keyOf = keyOf
  }

  /// Folds an event if it belongs to the row, and if the row is there. A row that is not there is made by its
  /// aggregator.
  public mutating func apply(_ event: Row.Event) throws(Row.Rejection) {
    guard var row = state, keyOf(event) == key else { return }
    try row.apply(event)
    state = row
  }

  /// A field of the row; `nil` while there is no such row.
  public subscript<Field>(dynamicMember keyPath: KeyPath<Row, Field>) -> Field? {
    state?[keyPath: keyPath]
  }

  /// A field of the row that is an optional itself; `nil` while there is no such row, too.
  public subscript<Field>(dynamicMember keyPath: KeyPath<Row, Field?>) -> Field? {
    state?[keyPath: keyPath]
  }
}

/// The state of an object that shows one row. Only ``ObservedRow`` conforms.
public protocol _ObservedRowState<RowKey, Row>: AggregateState {
  associatedtype RowKey: Hashable & Sendable
  associatedtype Row: AggregateState

  var key: RowKey { get }
  var state: Row? { get }
}

extension ObservedRow: _ObservedRowState {}

extension Observed where State: _ObservedRowState {
  /// The key of the row.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var key: State.RowKey { self[\.key] }

  /// The state of the row; `nil` while there is no such row. It is tracked as a whole.
  ///
  /// - Complexity: O(1), beside a copy of the row.
  @inlinable
  public var state: State.Row? { self[\.state] }

  /// A field of the row; `nil` while there is no such row. It is tracked for this field alone.
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public subscript<Field>(dynamicMember keyPath: KeyPath<State.Row, Field>) -> Field? { self[row: keyPath] }

  /// A field of the row that is an optional itself; `nil` while there is no such row, too.
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public subscript<Field>(dynamicMember keyPath: KeyPath<State.Row, Field?>) -> Field? { self[row: keyPath] ?? nil }

  /// What both read. The key path is that of the row, which is made once for each line that reads: one that leads
  /// through `ObservedRow` would be made anew for each read.
  @inlinable
  subscript<Field>(row keyPath: KeyPath<State.Row, Field>) -> Field? {
    note(fields.trackRecent(keyPath) ?? track(row: keyPath), as: Field?.self)
    return shown.pointee.state?[keyPath: keyPath]
  }

  @inlinable
  @inline(never)
  func track<Field>(row keyPath: KeyPath<State.Row, Field>) -> TrackedField {
    let field = fields.track((\State.state).appending(path: \Optional<State.Row>.[row: keyPath])) {
      \Observed<State>.[row: keyPath]
    }
    fields.remember(field, for: keyPath)
    return field
  }
}

extension Optional {
  /// A field of a row that may not be there.
  @usableFromInline
  subscript<Field>(row keyPath: KeyPath<Wrapped, Field>) -> Field? { self?[keyPath: keyPath] }
}

extension Observed {
  /// Makes an object that shows one row of a keyed aggregator.
  ///
  ///     let acme = Observed(quotes, key: "ACME")
  ///
  /// The row need not be there. While it is observed, no `RowEviction` gives it up, unless the eviction includes rows
  /// that have subscribers. ``send(_:)`` may send events for other rows, too.
  ///
  /// An event that makes the row is shown when it has been folded, so if another thread delivers, it is shown at the
  /// main actor's next turn.
  ///
  /// - Parameters:
  ///   - aggregator: the aggregator of the row.
  ///   - key: tells which row.
  ///   - keeping: `true` to keep the aggregator alive as long as this object; `false` if other code does.
  /// - Complexity: O(1), beside a copy of the row. An event for another row costs nothing.
  @inlinable
  public convenience init<Key, Row>(
    _ aggregator: KeyedAggregator<Key, Row>,
    key: Key,
    keeping: Bool = true
  ) where State == ObservedRow<Key, Row> {
    let view = AggregatorView<State>(aggregator, key: key) { ObservedRow($0, key: key, keyOf: $1) }
    self.init(view, kept: keeping ? aggregator : nil)
  }
}
