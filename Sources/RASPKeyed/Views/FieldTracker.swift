import Aggregate

/// Follows one field of all rows.
@usableFromInline
struct FieldTracker<Key: Hashable & Sendable, State: AggregateState, Field: Sendable>: RowTracker {
  @usableFromInline typealias Element = (key: Key, value: Field)

  @usableFromInline let read: @Sendable (UnsafePointer<State>) -> Field
  @usableFromInline let areEquivalent: @Sendable (Field, Field) -> Bool
  /// Is `true` if equivalent fields are equal.
  @usableFromInline let isExact: Bool
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
  mutating func look(at row: KeyedRow<Key, State>) -> Field? { isExact ? field(of: row) : nil }

  @inlinable
  @inline(__always)
  mutating func didChange(_ row: KeyedRow<Key, State>, from old: Field?) -> Element? {
    let last = isExact ? old : reported[row.key]
    guard let new = field(of: row) else {
      if !isExact { reported[row.key] = nil }
      return nil
    }
    if let last, areEquivalent(last, new) { return nil }
    if !isExact { reported[row.key] = new }
    return (row.key, new)
  }

  @inlinable
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Element) -> Void) {
    for row in store.inOrder { if let field = field(of: row) { send((row.key, field)) } }
  }

  @inlinable var answer: Element? { nil }

  @inlinable static var hasAnswer: Bool { false }
}
