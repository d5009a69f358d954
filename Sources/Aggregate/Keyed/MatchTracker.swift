import Streams

/// Counts the rows that satisfy a condition.
@usableFromInline
struct CountTracker<Key: Hashable & Sendable, State: AggregateState>: RowTracker {
  let condition: RowCondition<State>
  private var count = 0
  private var didMatch = false

  @usableFromInline var runsUserCode: Bool { true }

  init(_ condition: RowCondition<State>, _ rows: borrowing RowTable<Key, State>) {
    self.condition = condition
    rows.forEach { if condition.matches($0) { count += 1 } }
  }

  @usableFromInline
  mutating func willChange(_ row: RowReference<Key, State>) {
    didMatch = condition.matches(row)
  }

  @usableFromInline
  mutating func didChange(_ row: RowReference<Key, State>) -> Int? {
    let matches = condition.matches(row)
    guard matches != didMatch else { return nil }
    count += matches ? 1 : -1
    assert(count >= 0, "A count of rows is negative.")
    return count
  }

  @usableFromInline
  mutating func forget() {}

  @usableFromInline
  func greet(_ rows: borrowing RowTable<Key, State>, _ send: (Int) -> Void) {
    send(count)
  }
}

/// The keys of the rows that satisfy a condition.
@usableFromInline
struct KeysTracker<Key: Hashable & Sendable, State: AggregateState>: RowTracker {
  let condition: RowCondition<State>
  private var keys: Set<Key> = []
  private var didMatch = false

  @usableFromInline var runsUserCode: Bool { true }

  init(_ condition: RowCondition<State>, _ rows: borrowing RowTable<Key, State>) {
    self.condition = condition
    rows.forEach { if condition.matches($0) { keys.insert($0.pointer.pointee.key) } }
  }

  @usableFromInline
  mutating func willChange(_ row: RowReference<Key, State>) {
    didMatch = condition.matches(row)
  }

  @usableFromInline
  mutating func didChange(_ row: RowReference<Key, State>) -> Set<Key>? {
    let matches = condition.matches(row)
    guard matches != didMatch else { return nil }
    if matches { keys.insert(row.pointer.pointee.key) } else { keys.remove(row.pointer.pointee.key) }
    return keys
  }

  @usableFromInline
  mutating func forget() {}

  @usableFromInline
  func greet(_ rows: borrowing RowTable<Key, State>, _ send: (Set<Key>) -> Void) {
    send(keys)
  }
}

/// A condition of a user on the state of a row.
struct RowCondition<State: AggregateState>: Sendable {
  let isSatisfied: @Sendable (State) -> Bool

  /// A row that is not there satisfies no condition.
  func matches<Key>(_ row: RowReference<Key, State>) -> Bool {
    row.hasState && row.stateAddress.assumingMemoryBound(to: State.self).read(isSatisfied)
  }
}
