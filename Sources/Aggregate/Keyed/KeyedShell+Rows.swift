import Streams
import Synchronization

// Rows that come and go. Each is a change of one row and a round of its own.
extension KeyedShell {
  /// Makes a row by its first event. If the row refuses the event, there is no row.
  @inlinable
  @inline(never)
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
      #if DEBUG
        ApplyingThread.begin()
        defer { ApplyingThread.end() }
      #endif
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
  @inlinable
  mutating func put(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    Tape.stamping(for: tape, access) { stamp in
      put(state, for: key, isWatched ? .inserted(state) : nil, stamp, nil, access)
    }
  }

  /// - Parameter change: what has happened, if that is watched.
  @inlinable
  @inline(never)
  mutating func put(
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
    watchers[access].tell(.before, row.pointer, access)
    access.claim()
    var garbage: Tape.Garbage?
    if let change, let stamp { garbage = append(change, of: row, stamp) }
    let replaced = table.pointee.setState(state, of: row)
    access.lend()
    withExtendedLifetime(garbage) {}
    noteEvent(of: row)
    noteChanges(of: row, access)
    if hasStreams {
      if replaced == nil {
        streams.note(.inserted(key.key, state), in: &tree.round, access)
      } else {
        streams.noteUpdate(of: row, in: &tree.round, access)
      }
    }
    if let change, row.hasMoves {
      endRound(of: row, change, from: source, by: stamp?.cause, access)
    } else {
      endRound(of: row, access)
    }
    guard keepsAges, replaced == nil else { return }
    noteMayGo(row)
    evict(access)
  }

  /// Puts a row in that was there before a restart. There are no subscribers yet.
  mutating func restore(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    access.claim()
    let row = table.pointee.rowOrNew(of: key)
    _ = table.pointee.setState(state, of: row)
    access.lend()
    noteEvent(of: row)
    noteMayGo(row)
  }

  /// Notes that a row that has been made may go, if it has no subscribers.
  @inlinable
  func noteMayGo(_ row: Reference) {
    plan.pointee.noteMayGo(row.pointer.pointee.place, subscribers: row.subscriberCount)
  }

  /// Removes the row of a key, if there is one.
  @inlinable
  mutating func remove(_ key: HashedKey<Key>, _ access: QueueAccess) {
    access.lend()
    guard !tree.hasEnded, let row = table.pointee.row(of: key), row.hasState else { return }
    remove(row, .removed, access)
  }

  /// Removes a row; its subscribers get `nil`.
  @inlinable
  @inline(never)
  mutating func remove(_ row: Reference, _ reason: RowRemoval, _ access: QueueAccess) {
    Tape.stamping(for: tape, access) { stamp in
      access.lend()
      watchers[access].tell(.before, row.pointer, access)
      access.claim()
      let garbage = stamp.flatMap { append(.removed(reason), of: row, $0) }
      let state = table.pointee.takeState(of: row)
      access.lend()
      if keepsAges { plan.pointee.ages.leave(row.pointer.pointee.place) }
      withExtendedLifetime(garbage) {}
      noteChanges(of: row, access)
      if hasStreams {
        streams.note(.removed(row.pointer.pointee.key, last: state, reason), in: &tree.round, access)
      }
      if row.hasMoves {
        endRound(of: row, .removed(reason), from: nil, by: stamp?.cause, access)
      } else {
        endRound(of: row, access)
      }
      access.claim()
      table.pointee.removeIfEmpty(row)
      access.lend()
    }
  }

  /// Removes the rows that are too many.
  @inlinable
  mutating func evict(_ access: QueueAccess) {
    while let place = plan.pointee.next(of: table.pointee.stateCount) {
      remove(Reference(table.pointee.memory.row(at: Int(place))), .beyondLimit, access)
    }
  }

  /// Removes the rows that have been idle for too long, the oldest first. Called once in each period.
  @inlinable
  mutating func evictIdle(_ access: QueueAccess) {
    guard let mark = plan.pointee.mark() else { return }
    access.claim()
    store.removeIdle(access)
    access.lend()
    while let place = plan.pointee.idle(since: mark) {
      remove(Reference(table.pointee.memory.row(at: Int(place))), .idle, access)
    }
  }
}
