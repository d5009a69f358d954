import Aggregate
import Streams

/// Follows one field of all rows.
@usableFromInline
struct FieldTracker<Key: Hashable & Sendable, State: AggregateState, Field: Sendable>: RowTracker {
  @usableFromInline typealias Element = (key: Key, value: Field)

  @usableFromInline let read: @Sendable (UnsafePointer<State>) -> Field
  @usableFromInline let areEquivalent: @Sendable (Field, Field) -> Bool
  /// Is `true` if equivalent fields are equal.
  @usableFromInline let isExact: Bool
  /// The field before the change that is going on.
  @usableFromInline var old: Field?
  /// What was reported last, if fields that count as equal may differ: many small changes may add up to a large one.
  @usableFromInline var reported: [Key: Field] = [:]

  @inlinable
  init(_ selector: StateSelector<State, Field>, _ store: RowStore<Key, State>) {
    read = selector.read
    areEquivalent = selector.comparison.areEquivalent
    isExact = selector.comparison.kind == .equality
    if !isExact { for row in store.rows.values { reported[row.key] = field(of: row) } }
  }

  @inlinable
  func field(of row: KeyedRow<Key, State>) -> Field? {
    row.hasState ? read(row.presentState) : nil
  }

  @inlinable
  @inline(__always)
  mutating func willChange(_ row: KeyedRow<Key, State>) {
    if isExact { old = field(of: row) }
  }

  @inlinable
  @inline(__always)
  mutating func didChange(_ row: KeyedRow<Key, State>) -> Element? {
    // A field that is kept makes the next event copy the collection that it is.
    let last = old.take() ?? (isExact ? nil : reported[row.key])
    guard let new = field(of: row) else {
      if !isExact { reported[row.key] = nil }
      return nil
    }
    if let last, areEquivalent(last, new) { return nil }
    if !isExact { reported[row.key] = new }
    return (row.key, new)
  }

  @inlinable
  mutating func forget() {
    old = nil
  }

  @inlinable
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Element) -> Void) {
    for row in store.inOrder { if let field = field(of: row) { send((row.key, field)) } }
  }
}
