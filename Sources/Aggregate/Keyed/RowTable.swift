import Streams
import Synchronization

/// The rows of one shard.
///
/// ```
///   index   "ACME" ──▶ ●        order   ● ● ● ●      a row knows its position in `order`
/// ```
///
/// Invariants: each row is in `index` and at its position in `order`; a row has a state or a branch; `stateCount` is the
/// number of rows that have a state.
///
/// The owner of the queue changes the table between ``QueueAccess/claim()`` and ``QueueAccess/lend()``; other threads read
/// `index`, `order`, and the states.
@usableFromInline
struct RowTable<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline typealias Reference = RowReference<Key, State>

  @usableFromInline private(set) var index: [Key: Reference] = [:]
  /// All rows, so that a walk comes to them in the same order in each process.
  private(set) var order: [Reference] = []
  private(set) var stateCount = 0
  private var lastNumber: UInt64 = 0
  /// Rows that have lost their subscribers, some of which may have come back.
  private var idle: [Reference] = []

  init() {}

  /// Makes a table of rows with different keys.
  init(_ states: [(key: Key, number: UInt64, value: State)]) {
    for (key, number, state) in states {
      let row = rowOrNew(of: key)
      _ = setState(state, of: row)
      row.pointer.pointee.number = number
    }
  }

  deinit {
    for row in order { row.deallocate() }
  }

  /// The row of a key, with a state or without.
  @inlinable
  @inline(__always)
  func row(of key: Key) -> Reference? { index[key] }

  /// The state of a key.
  @usableFromInline
  func state(of key: Key) -> State? { index[key]?.pointer.pointee.state }

  /// All states with their keys and the numbers of their rows, in the order of the table.
  var states: [(key: Key, number: UInt64, value: State)] {
    order.compactMap { row in
      row.pointer.pointee.state.map { (row.pointer.pointee.key, row.pointer.pointee.number, $0) }
    }
  }

  /// Calls `body` for each row that has a state.
  @usableFromInline
  func forEach(_ body: (Reference) -> Void) {
    for row in order where row.hasState { body(row) }
  }

  // MARK: Changing

  /// The row of a key: the one that is there, or a new one without a state. The table has been claimed.
  mutating func rowOrNew(of key: Key) -> Reference {
    if let row = index[key] { return row }
    let row = Reference(.allocate(capacity: 1))
    row.pointer.initialize(to: Row(key, at: order.count))
    index[key] = row
    order.append(row)
    return row
  }

  /// Sets the state of a row. The table has been claimed.
  ///
  /// - Returns: the state that it had, to be released when the table is lent.
  mutating func setState(_ state: State, of row: Reference) -> State? {
    let replaced = row.pointer.pointee.state
    row.pointer.pointee.state = state
    if replaced == nil {
      stateCount += 1
      lastNumber += 1
      row.pointer.pointee.number = lastNumber
    }
    return replaced
  }

  /// Takes the state of a row that has one. The table has been claimed.
  mutating func takeState(of row: Reference) -> State {
    assert(row.hasState, "A row was removed twice.")
    stateCount -= 1
    return row.pointer.pointee.state.take().unsafelyUnwrapped
  }

  /// Removes a row that has neither a state nor a branch. The table has been claimed.
  mutating func removeIfEmpty(_ row: Reference) {
    guard !row.hasState, row.pointer.pointee.branch == nil else { return }
    index[row.pointer.pointee.key] = nil
    let position = row.pointer.pointee.position
    assert(order[position].pointer == row.pointer, "A row is not at its position in the table.")
    order.swapAt(position, order.count - 1)
    order.removeLast()
    if position < order.count { order[position].pointer.pointee.position = position }
    row.deallocate()
  }

  // MARK: Rows that have lost their subscribers

  /// Is `true` if a walk through the idle rows may find something.
  var hasIdle: Bool { !idle.isEmpty }

  /// Notes that a row has lost its last subscriber. Called during maintenance, where the table cannot be claimed.
  mutating func noteIdle(_ row: Reference) {
    guard let branch = row.pointer.pointee.branch?._withUnsafeGuaranteedRef({ $0 }), !branch.isListedAsIdle else {
      return
    }
    branch.isListedAsIdle = true
    idle.append(row)
  }

  /// Releases the branches of rows that have no subscribers, and the rows that have no state. The table has been claimed.
  mutating func removeIdle(_ access: QueueAccess) {
    for row in idle {
      guard let branch = row.pointer.pointee.branch else { continue }
      let isIdle = branch._withUnsafeGuaranteedRef { branch in
        branch.isListedAsIdle = false
        return branch.subscriberCount.load(ordering: .relaxed) == 0 && branch.selections[access].isEmpty
      }
      guard isIdle else { continue }
      row.pointer.pointee.branch = nil
      branch.release()
      removeIfEmpty(row)
    }
    idle = []
  }
}

/// The memory of the rows of one shard, for the owner of its queue and for readers.
///
/// Safe to share: see ``RowTable``; `phase` is atomic.
@usableFromInline
final class RowStore<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  @usableFromInline let table: UnsafeMutablePointer<RowTable<Key, State>>
  /// The phase of the owner's work, as in ``StateReference``.
  @usableFromInline let phase: UnsafeMutablePointer<Atomic<UInt8>>

  init() {
    table = .allocate(capacity: 1)
    table.initialize(to: RowTable())
    phase = .allocate(capacity: 1)
    phase.initialize(to: Atomic(StateReference<State>.settled))
  }

  deinit {
    table.deinitialize(count: 1)
    table.deallocate()
    phase.deinitialize(count: 1)
    phase.deallocate()
  }
}
