import Aggregate
import Streams
import Synchronization

/// The rows of one shard, for the owner of its queue and for readers.
///
/// Invariants: a row is here as long as it has a state or subscribers; `stateCount` is the number of rows that have a
/// state; a row is among the `ages` if it has a state and rows are given up by their age.
///
/// Safe to share: the owner of the queue changes the rows and the two numbers behind the gate, and other threads look
/// at them there. The ages belong to the owner. The rest does not change, or is safe by itself.
@usableFromInline
final class RowStore<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  @usableFromInline typealias Row = KeyedRow<Key, State>
  /// States with their keys and the numbers of their rows.
  @usableFromInline typealias States = [(key: Key, number: UInt64, value: State)]

  @exclusivity(unchecked) @usableFromInline var rows: [Key: Row] = [:]
  @exclusivity(unchecked) @usableFromInline var stateCount = 0
  @exclusivity(unchecked) @usableFromInline var lastNumber: UInt64 = 0
  /// The gate that the rows stand behind.
  @usableFromInline let folding = FoldGate()
  @usableFromInline let ages: QueueIsolated<RowAges>
  /// Is `true` if rows are given up by their age.
  @usableFromInline let keepsAges: Bool

  init(evicting rule: RowEviction) {
    ages = QueueIsolated(RowAges(rule))
    keepsAges = rule != .never
  }

  // MARK: Reading

  /// The state of a key.
  @inlinable
  func state(of key: Key) -> State? { rows[key]?.state }

  /// The number of subscribers to selections of a row.
  @inlinable
  func subscriberCount(of key: Key) -> Int {
    rows[key]?.subscribers?._withUnsafeGuaranteedRef { $0.count.load(ordering: .relaxed) } ?? 0
  }

  /// All states, in any order.
  @inlinable
  var states: States {
    var states: States = []
    states.reserveCapacity(stateCount)
    for row in rows.values { if let state = row.state { states.append((row.key, row.number, state)) } }
    return states
  }

  /// The rows that have a state, in the order in which they were made.
  ///
  /// - Complexity: O(rows log rows).
  @inlinable
  var inOrder: [Row] {
    rows.values.filter(\.hasState).sorted { $0.number < $1.number }
  }

  // MARK: Changing

  /// Changes the rows: no other thread reads them meanwhile.
  ///
  /// - Parameter body: makes the change, and calls no user code but that of keys.
  @inlinable
  @inline(__always)
  func change<Result>(_ body: () -> Result) -> Result { folding.gate.change(body) }

  /// The row of a key: the one that is there, or a new one without a state.
  @inlinable
  func rowOrNew(of key: Key) -> Row { rows[key] ?? add(key) }

  /// Makes a row, without a state, of a key that has none.
  @inlinable
  func add(_ key: Key) -> Row {
    let row = Row(key)
    change { rows[key] = row }
    return row
  }

  /// Sets the state of a row. The rows are being changed.
  ///
  /// - Returns: the state that it had, to be released in front of the gate.
  @inlinable
  func setState(_ state: State, of row: Row) -> State? {
    var state: State? = state
    swap(&state, &folding.gate.changed(row.address).pointee)
    if state == nil {
      stateCount += 1
      lastNumber += 1
      row.number = lastNumber
    }
    return state
  }

  /// Takes the state of a row that has one. The rows are being changed, and the caller has the row.
  @inlinable
  func takeState(of row: Row) -> State {
    assert(row.hasState, "A row was removed twice.")
    let state = folding.gate.changed(row.address).pointee.take().unsafelyUnwrapped
    stateCount -= 1
    removeIfEmpty(row)
    return state
  }

  /// Removes a row that has neither a state nor subscribers. The rows are being changed. The caller has the row, so
  /// that its key is not released meanwhile.
  @inlinable
  func removeIfEmpty(_ row: Row) {
    guard !row.hasState, row.subscribers == nil else { return }
    if rows.removeValue(forKey: row.key) != nil { return }
    // A key that does not equal itself finds nothing.
    if let place = rows.firstIndex(where: { $0.value === row }) { rows.remove(at: place) }
  }

  // MARK: Ages

  // The ages are changed by these functions, and not through the shell: the thread sanitizer takes a change through the
  // shell for one of the store.

  /// Notes an event of a row.
  @inlinable
  @inline(__always)
  func noteEvent(of row: Row, _ access: QueueAccess) {
    if keepsAges { ages[access].touch(row) }
  }

  /// Notes that a row has gone.
  @inlinable
  func noteRemoval(of row: Row, _ access: QueueAccess) { ages[access].leave(row) }

  /// Notes that a row may go from now on: its last subscriber has left it.
  @inlinable
  func noteMayGo(_ row: Row, _ access: QueueAccess) { ages[access].noteMayGo(row) }

  /// See ``RowAges/mark(at:askedAt:)``.
  @inlinable
  func mark(at now: Duration, askedAt asked: Duration, _ access: QueueAccess) -> UInt64? {
    ages[access].mark(at: now, askedAt: asked)
  }

  /// The next row that has been idle since an event with a number.
  @inlinable
  func nextIdle(since stamp: UInt64, _ access: QueueAccess) -> Row? {
    ages[access].idle(since: stamp).map { unsafeDowncast($0, to: Row.self) }
  }

  /// The next row to be given up because there are too many.
  @inlinable
  func nextBeyondLimit(_ access: QueueAccess) -> Row? {
    ages[access].beyondLimit(of: stateCount).map { unsafeDowncast($0, to: Row.self) }
  }
}
