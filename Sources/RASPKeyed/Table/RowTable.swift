import Aggregate
import Streams
import Synchronization

/// The rows of one shard.
///
/// Invariants: each row is in `memory`, and in `index` by its hash; a row has a state or subscribers; `stateCount` is
/// the number of rows that have a state.
///
/// The owner of the queue changes the table inside of ``QueueAccess/change(_:)``; other threads find rows in it, and
/// copy their states.
@usableFromInline
struct RowTable<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline typealias Reference = RowReference<Key, State>

  @usableFromInline var index = RowIndex()
  @usableFromInline var memory = RowMemory<Key, State>()
  @usableFromInline var stateCount = 0
  @usableFromInline var lastNumber: UInt64 = 0
  /// Is `true` if the order of the places is that in which the rows were made.
  @usableFromInline var isInOrder = true
  /// The places of rows that have lost their subscribers, some of which may have come back.
  @usableFromInline var idle: [UInt32] = []

  @inlinable
  init() {}

  /// The row of a key, with a state or without.
  @inlinable
  @inline(__always)
  func row(of key: HashedKey<Key>) -> Reference? {
    guard let place = index.find(key.hash, { memory.row(at: $0).pointee.key == key.key }) else { return nil }
    return Reference(memory.row(at: place))
  }

  /// The state of a key.
  @inlinable
  func state(of key: HashedKey<Key>) -> State? { row(of: key)?.pointer.pointee.state }

  /// All states with their keys and the numbers of their rows, in the order in which the rows were made.
  @inlinable
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
  @inlinable
  @inline(__always)
  func forEach(_ body: (Reference) -> Void) {
    if isInOrder {
      memory.forEach { if $0.pointee.state != nil { body(Reference($0)) } }
    } else {
      for place in placesInOrder() { body(Reference(memory.row(at: Int(place)))) }
    }
  }

  /// The places of the rows that have a state, in the order in which these were made.
  @inlinable
  func placesInOrder() -> [UInt32] {
    var places: [NumberedPlace] = []
    places.reserveCapacity(stateCount)
    memory.forEach { row in
      if row.pointee.state != nil { places.append(NumberedPlace(number: row.pointee.number, place: row.pointee.place)) }
    }
    return NumberedPlace.sorted(places)
  }

  // MARK: Changing

  /// The row of a key: the one that is there, or a new one without a state. The table is being changed.
  @inlinable
  mutating func rowOrNew(of key: HashedKey<Key>) -> Reference {
    if let row = row(of: key) { return row }
    let row = memory.add(key)
    index.insert(Int(row.pointee.place), hash: key.hash)
    return Reference(row)
  }

  /// Sets the state of a row. The table is being changed.
  ///
  /// - Returns: the state that it had, to be released in front of the gate.
  @inlinable
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

  /// Takes the state of a row that has one. The table is being changed.
  @inlinable
  mutating func takeState(of row: Reference) -> State {
    assert(row.hasState, "A row was removed twice.")
    stateCount -= 1
    return row.pointer.pointee.state.take().unsafelyUnwrapped
  }

  /// Removes a row that has neither a state nor subscribers. The table is being changed.
  @inlinable
  mutating func removeIfEmpty(_ row: Reference) {
    guard !row.hasState, row.pointer.pointee.subscribers == nil else { return }
    index.remove(Int(row.pointer.pointee.place), hash: row.pointer.pointee.hash)
    memory.remove(row.pointer)
    if memory.count == 0 { startAnew() }
  }

  /// An empty table gives its rows their places from the beginning.
  @inlinable
  mutating func startAnew() {
    memory = RowMemory()
    lastNumber = 0
    isInOrder = true
  }

  // MARK: Rows that have lost their subscribers

  @inlinable
  var hasIdle: Bool {
    @inline(__always) get { !idle.isEmpty }
  }

  /// Forgets the subscribers of rows that have none any more, and removes those rows that have no state. The table is
  /// being changed.
  ///
  /// - Parameter body: gets each row that has a state and no subscribers to its selections.
  @inlinable
  mutating func removeIdle(_ body: (Reference) -> Void) {
    for place in idle {
      let row = Reference(memory.row(at: Int(place)))
      guard let subscribers = row.pointer.pointee.subscribers else { continue }
      let isUnselected = subscribers._withUnsafeGuaranteedRef { subscribers in
        subscribers.isListedAsIdle = false
        return subscribers.count.load(ordering: .relaxed) == 0 && row.pointer.pointee.selections.isEmpty
      }
      guard isUnselected else { continue }
      row.pointer.pointee.subscribers = nil
      subscribers.release()
      if row.hasState { body(row) } else { removeIfEmpty(row) }
    }
    idle = []
  }
}

/// The place of a row, and when the row was made.
@usableFromInline
struct NumberedPlace {
  @usableFromInline let number: UInt64
  @usableFromInline let place: UInt32

  @inlinable
  init(number: UInt64, place: UInt32) {
    self.number = number
    self.place = place
  }

  @usableFromInline
  static func sorted(_ places: [NumberedPlace]) -> [UInt32] {
    places.sorted { $0.number < $1.number }.map(\.place)
  }
}
