import Streams
import Synchronization

// Rows that come and go. Each is a change of one row and a round of its own.
extension KeyedShell {
  /// Makes a row by its first event. If the row refuses the event, there is no row.
  @usableFromInline
  mutating func insert(
    _ key: HashedKey<Key>,
    _ event: State.Event,
    _ stamp: Tape.Stamp?,
    _ source: SourceID?,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    access.lend()
    let initial = makeRow(key.key)
    var state = initial
    let change = isWatched ? Tape.Change.first(event, of: initial) : nil
    do throws(State.Rejection) {
      phase.pointee.store(StateReference<State>.applying, ordering: .relaxed)
      defer { phase.pointee.store(StateReference<State>.settled, ordering: .relaxed) }
      try state.apply(event)
    } catch {
      if let change, let stamp {
        access.claim()
        let garbage = append(change, of: key, stamp, before: nil)
        access.lend()
        withExtendedLifetime(garbage) {}
      }
      throw error
    }
    put(state, for: key, change, stamp, source, access)
  }

  /// Puts a row in, in the place of the one that is there.
  mutating func put(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    Tape.stamping(for: tape, access) { stamp in
      put(state, for: key, isWatched ? .inserted(state) : nil, stamp, nil, access)
    }
  }

  /// - Parameter change: what has happened, if that is watched.
  private mutating func put(
    _ state: State,
    for key: HashedKey<Key>,
    _ change: Tape.Change?,
    _ stamp: Tape.Stamp?,
    _ source: SourceID?,
    _ access: QueueAccess
  ) {
    access.claim()
    store.removeIdle(access)
    let row = table.pointee.rowOrNew(of: key)
    access.lend()
    watchers[access].tell(.before, row, access)
    access.claim()
    var garbage: Tape.Garbage?
    if let change, let stamp { garbage = append(change, of: row, stamp) }
    let replaced = table.pointee.setState(state, of: row)
    access.lend()
    withExtendedLifetime(garbage) {}
    noteStamp(of: row)
    noteChanges(of: row, access)
    if hasStreams {
      if replaced == nil {
        streams.note(.inserted(key.key, state), in: &tree.round, access)
      } else {
        streams.noteUpdate(of: row, in: &tree.round, access)
      }
      if let change {
        streams.noteMove(change, of: row, from: source, by: stamp?.cause, in: &tree.round, access)
      }
    }
    endRound(of: row, access)
    guard replaced == nil else { return }
    store.eviction[access].noteMayGo(row)
    evict(access)
  }

  /// Puts a row in that was there before a restart. There are no subscribers yet.
  mutating func restore(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    access.claim()
    let row = table.pointee.rowOrNew(of: key)
    _ = table.pointee.setState(state, of: row)
    access.lend()
    noteStamp(of: row)
    store.eviction[access].noteMayGo(row)
  }

  /// Removes a row; its subscribers get `nil`.
  mutating func remove(_ row: Reference, _ reason: RowRemoval, _ access: QueueAccess) {
    Tape.stamping(for: tape, access) { stamp in
      access.lend()
      watchers[access].tell(.before, row, access)
      access.claim()
      let garbage = stamp.flatMap { append(.removed(reason), of: row, $0) }
      let state = table.pointee.takeState(of: row)
      access.lend()
      withExtendedLifetime(garbage) {}
      noteChanges(of: row, access)
      if hasStreams {
        streams.note(.removed(row.pointer.pointee.key, last: state, reason), in: &tree.round, access)
        streams.noteMove(.removed(reason), of: row, from: nil, by: stamp?.cause, in: &tree.round, access)
      }
      endRound(of: row, access)
      access.claim()
      table.pointee.removeIfEmpty(row)
      access.lend()
    }
  }

  /// Removes the rows that the plan does not keep.
  mutating func evict(_ access: QueueAccess) {
    while let row = store.eviction[access].next(in: table.pointee) { remove(row, .beyondLimit, access) }
  }
}
