import Aggregate
import Streams
import Synchronization

// Rows that come and go. Each is a change of one row and a round of its own.
extension KeyedShell {
  /// Makes a row by its first event. If the row refuses the event, there is no row.
  ///
  /// - Parameter row: the one that has subscribers and no state; `nil` if there is none.
  @inlinable
  @inline(never)
  mutating func insert(
    _ key: Key,
    _ row: Row?,
    _ event: State.Event,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    let initial = makeRow(key)
    var state = initial
    let change = hook == nil ? nil : RowStep<Key, State>.Change.first(event, of: initial)
    do throws(State.Rejection) {
      try store.folding.applying { () throws(State.Rejection) in try state.apply(event) }
    } catch {
      if let change {
        let garbage = store.change { record(change, of: key, before: nil) }
        withExtendedLifetime(garbage) {}
      }
      throw error
    }
    put(state, into: row ?? store.add(key), change, access)
  }

  /// Puts a row in, in the place of the one that is there.
  @inlinable
  mutating func put(_ state: State, for key: Key, _ access: QueueAccess) {
    Self.numbering(by: hook, access) {
      put(state, into: store.rowOrNew(of: key), hook == nil ? nil : .inserted(state), access)
    }
  }

  /// - Parameter change: what has happened, if that is recorded.
  @inlinable
  @inline(never)
  mutating func put(
    _ state: State,
    into row: Row,
    _ change: RowStep<Key, State>.Change?,
    _ access: QueueAccess
  ) {
    watchers[access].tell(.before, row, access)
    // An array: to release an optional of such a type asks its parts at run time whether they are there.
    var garbage: [RowGarbage<Key, State>?] = []
    let replaced = store.change {
      if let change { garbage = [record(change, of: row.key, before: row)] }
      return store.setState(state, of: row)
    }
    withExtendedLifetime(garbage) {}
    store.noteEvent(of: row, access)
    noteChanges(of: row, access)
    if hasStreams {
      if replaced == nil {
        streams.note(.inserted(row.key, state), in: &tree.round, access)
      } else {
        streams.noteUpdate(of: row, in: &tree.round, access)
      }
    }
    tree.round.notify(access)
    if replaced == nil { evict(access) }
  }

  /// Puts a row in that was there before a restart. There are no subscribers yet.
  mutating func restore(_ state: State, for key: Key, _ access: QueueAccess) {
    let row = store.rowOrNew(of: key)
    _ = store.change { store.setState(state, of: row) }
    store.noteEvent(of: row, access)
  }

  /// Removes the row of a key, if there is one.
  @inlinable
  mutating func remove(_ key: Key, _ access: QueueAccess) {
    guard !tree.hasEnded, let row = store.rows[key], row.hasState else { return }
    remove(row, .removed, access)
  }

  /// Removes a row; its subscribers get `nil`.
  @inlinable
  @inline(never)
  mutating func remove(_ row: Row, _ reason: RowRemoval, _ access: QueueAccess) {
    Self.numbering(by: hook, access) {
      watchers[access].tell(.before, row, access)
      var garbage: [RowGarbage<Key, State>?] = []
      let state = store.change {
        if hook != nil { garbage = [record(.removed(reason), of: row.key, before: row)] }
        return store.takeState(of: row)
      }
      store.noteRemoval(of: row, access)
      withExtendedLifetime(garbage) {}
      noteChanges(of: row, access)
      if hasStreams {
        streams.note(.removed(row.key, last: state, reason), in: &tree.round, access)
      }
      tree.round.notify(access)
    }
  }

  /// Removes the rows that are too many.
  @inlinable
  mutating func evict(_ access: QueueAccess) {
    while let row = store.nextBeyondLimit(access) { remove(row, .beyondLimit, access) }
  }

  /// Removes the rows that have been idle for too long, the oldest first. Called about once in each period.
  @inlinable
  mutating func evictIdle(at now: Duration, askedAt asked: Duration, _ access: QueueAccess) {
    guard let mark = store.mark(at: now, askedAt: asked, access) else { return }
    while let row = store.nextIdle(since: mark, access) { remove(row, .idle, access) }
  }
}
