import Streams

/// The rows of one shard.
///
/// Invariants: each row is in `memory`, and in `index` by its hash; a row has a state or subscribers; `stateCount` is the
/// number of rows that have a state.
///
/// The owner of the queue changes the table between ``QueueAccess/claim()`` and ``QueueAccess/lend()``; other threads find
/// rows in it, and copy their states.
@usableFromInline
struct RowTable<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline typealias Reference = RowReference<Key, State>

  @usableFromInline private(set) var index = RowIndex()
  @usableFromInline private(set) var memory = RowMemory<Key, State>()
  private(set) var stateCount = 0
  private var lastNumber: UInt64 = 0
  /// Is `true` if the order of the places is that in which the rows were made.
  private var isInOrder = true
  /// Rows that have lost their subscribers, some of which may have come back.
  private var idle: [Reference] = []

  init() {}

  /// Makes a table of rows with different keys.
  init(_ states: [(key: Key, number: UInt64, value: State)]) {
    for (key, number, state) in states {
      let row = rowOrNew(of: HashedKey(key))
      _ = setState(state, of: row)
      row.pointer.pointee.number = number
    }
  }

  /// The row of a key, with a state or without.
  @inlinable
  @inline(__always)
  func row(of key: HashedKey<Key>) -> Reference? {
    guard let place = index.find(key.hash, { memory.row(at: $0).pointee.key == key.key }) else { return nil }
    return Reference(memory.row(at: place))
  }

  /// The state of a key.
  @usableFromInline
  func state(of key: HashedKey<Key>) -> State? { row(of: key)?.pointer.pointee.state }

  /// All states with their keys and the numbers of their rows, in the order in which the rows were made.
  var states: [(key: Key, number: UInt64, value: State)] {
    var states: [(key: Key, number: UInt64, value: State)] = []
    states.reserveCapacity(stateCount)
    forEach { row in
      if let state = row.pointer.pointee.state {
        states.append((row.pointer.pointee.key, row.pointer.pointee.number, state))
      }
    }
    return states
  }

  /// Calls `body` for each row that has a state, in the order in which they were made.
  ///
  /// - Complexity: O(rows); O(rows log rows) if some were removed, or subscribed to before they were made.
  @usableFromInline
  func forEach(_ body: (Reference) -> Void) {
    guard !isInOrder else {
      return memory.forEach { if $0.pointee.state != nil { body(Reference($0)) } }
    }
    var rows: [Reference] = []
    rows.reserveCapacity(stateCount)
    memory.forEach { if $0.pointee.state != nil { rows.append(Reference($0)) } }
    rows.sort { $0.pointer.pointee.number < $1.pointer.pointee.number }
    for row in rows { body(row) }
  }

  /// Calls `body` for each row that has a state, in any order.
  func forEachInAnyOrder(_ body: (Reference) -> Void) {
    memory.forEach { if $0.pointee.state != nil { body(Reference($0)) } }
  }

  // MARK: Changing

  /// The row of a key: the one that is there, or a new one without a state. The table has been claimed.
  mutating func rowOrNew(of key: HashedKey<Key>) -> Reference {
    if let row = row(of: key) { return row }
    let row = memory.add(key)
    index.insert(Int(row.pointee.place), hash: key.hash)
    return Reference(row)
  }

  /// Sets the state of a row. The table has been claimed.
  ///
  /// - Returns: the state that it had, to be released when the table is lent.
  mutating func setState(_ state: State, of row: Reference) -> State? {
    let replaced = row.pointer.pointee.state
    row.pointer.pointee.state = state
    if replaced == nil {
      // Places are given one after the other as long as none becomes free.
      if UInt64(row.pointer.pointee.place) != lastNumber { isInOrder = false }
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

  /// Removes a row that has neither a state nor subscribers. The table has been claimed.
  mutating func removeIfEmpty(_ row: Reference) {
    guard !row.hasState, row.pointer.pointee.subscribers == nil else { return }
    index.remove(Int(row.pointer.pointee.place), hash: row.pointer.pointee.hash)
    memory.remove(row.pointer)
    if memory.count == 0 { startAnew() }
  }

  /// An empty table gives its rows their places from the beginning.
  private mutating func startAnew() {
    memory = RowMemory()
    lastNumber = 0
    isInOrder = true
  }

  // MARK: Rows that have lost their subscribers

  /// Notes that a row has lost its last subscriber. Called during maintenance, where the table cannot be claimed.
  mutating func noteIdle(_ row: Reference) {
    guard let subscribers = row.pointer.pointee.subscribers?._withUnsafeGuaranteedRef({ $0 }),
      !subscribers.isListedAsIdle
    else { return }
    subscribers.isListedAsIdle = true
    idle.append(row)
  }

  /// Forgets the subscribers of rows that have none any more, and removes those rows that have no state. The table has been
  /// claimed.
  ///
  /// - Parameter body: gets each row that had subscribers and has a state.
  mutating func removeIdle(_ body: (Reference) -> Void) {
    for row in idle {
      guard let subscribers = row.pointer.pointee.subscribers else { continue }
      let isIdle = subscribers._withUnsafeGuaranteedRef { subscribers in
        subscribers.isListedAsIdle = false
        return subscribers.count.load(ordering: .relaxed) == 0 && row.pointer.pointee.selections.isEmpty
      }
      guard isIdle else { continue }
      row.pointer.pointee.subscribers = nil
      subscribers.release()
      if row.hasState { body(row) } else { removeIfEmpty(row) }
    }
    idle = []
  }
}
