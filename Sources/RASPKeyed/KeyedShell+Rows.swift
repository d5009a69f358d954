import Aggregate
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
    _ stamp: TapeStamp?,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    let initial = makeRow(key.key)
    var state = initial
    let change = stamp == nil ? nil : Tape.Change.first(event, of: initial)
    do throws(State.Rejection) {
      try folding.pointee.applying { () throws(State.Rejection) in try state.apply(event) }
    } catch {
      if let change, let stamp {
        let garbage = store.change { _ in append(change, of: key.key, stamp, before: nil) }
        withExtendedLifetime(garbage) {}
      }
      throw error
    }
    put(state, for: key, change, stamp, access)
  }

  /// Puts a row in, in the place of the one that is there.
  @inlinable
  mutating func put(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    Tape.stamping(for: tape, access) { stamp in
      put(state, for: key, stamp == nil ? nil : .inserted(state), stamp, access)
    }
  }

  /// - Parameter change: what has happened, if that is recorded.
  @inlinable
  @inline(never)
  mutating func put(
    _ state: State,
    for key: HashedKey<Key>,
    _ change: Tape.Change?,
    _ stamp: TapeStamp?,
    _ access: QueueAccess
  ) {
    let row = store.change { table in
      store.removeIdle(access)
      return table.pointee.rowOrNew(of: key)
    }
    watchers[access].tell(.before, row.pointer, access)
    var garbage: Tape.Garbage?
    let replaced = store.change { table in
      if let change, let stamp { garbage = append(change, of: key.key, stamp, before: row) }
      return table.pointee.setState(state, of: row)
    }
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
    endRound(of: row, access)
    guard keepsAges, replaced == nil else { return }
    // The newest row is no candidate: where all others are watched, none goes.
    evict(access)
    noteMayGo(row)
  }

  /// Puts a row in that was there before a restart. There are no subscribers yet.
  mutating func restore(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    let row = store.change { table in
      let row = table.pointee.rowOrNew(of: key)
      _ = table.pointee.setState(state, of: row)
      return row
    }
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
    guard !tree.hasEnded, let row = table.pointee.row(of: key), row.hasState else { return }
    remove(row, .removed, access)
  }

  /// Removes a row; its subscribers get `nil`.
  @inlinable
  @inline(never)
  mutating func remove(_ row: Reference, _ reason: RowRemoval, _ access: QueueAccess) {
    Tape.stamping(for: tape, access) { stamp in
      watchers[access].tell(.before, row.pointer, access)
      var garbage: Tape.Garbage?
      let state = store.change { table in
        if let stamp { garbage = append(.removed(reason), of: row.key.key, stamp, before: row) }
        return table.pointee.takeState(of: row)
      }
      if keepsAges { plan.pointee.ages.leave(row.pointer.pointee.place) }
      withExtendedLifetime(garbage) {}
      noteChanges(of: row, access)
      if hasStreams {
        streams.note(.removed(row.pointer.pointee.key, last: state, reason), in: &tree.round, access)
      }
      endRound(of: row, access)
      store.change { table in table.pointee.removeIfEmpty(row) }
    }
  }

  /// Removes the rows that are too many.
  @inlinable
  mutating func evict(_ access: QueueAccess) {
    while let place = plan.pointee.next(of: table.pointee.stateCount) {
      remove(Reference(table.pointee.memory.row(at: Int(place))), .beyondLimit, access)
    }
  }

  /// Removes the rows that have been idle for too long, the oldest first. Called about once in each period.
  @inlinable
  mutating func evictIdle(at now: Duration, askedAt asked: Duration, _ access: QueueAccess) {
    guard let mark = plan.pointee.mark(at: now, askedAt: asked) else { return }
    store.change { _ in store.removeIdle(access) }
    while let place = plan.pointee.idle(since: mark) {
      remove(Reference(table.pointee.memory.row(at: Int(place))), .idle, access)
    }
  }
}
