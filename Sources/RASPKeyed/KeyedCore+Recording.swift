import Aggregate
import Streams

extension KeyedCore: RecordedCore {
  @usableFromInline package typealias Hook = RecordingHook<RecordedStep<Key, State>, RowGarbage<Key, State>>

  package func begin<Released>(_ hook: Hook, _ prepare: @escaping @Sendable () -> Released) {
    assert(shards.count == 1, "Rows in several shards are recorded.")
    shards[0].queue.run { [self] shell, _ in
      // The owner changes it as it does in a fold, so that those who read see what is recorded and the rows of one
      // moment.
      let released = shell.store.change(prepare)
      withExtendedLifetime(released) {}
      // One that has been released meanwhile records nothing.
      guard recording.withLock({ $0.hook === hook }), !shell.tree.hasEnded else { return }
      shell.hook = hook
      shell.isWatched = true
    }
  }

  package func end(_ hook: Hook) {
    shards[0].queue.runWithoutDelivering { shell, _ -> Hook? in
      guard shell.hook === hook else { return nil }
      shell.isWatched = shell.hasStreams
      return shell.hook.take()
    }
  }

  package func finish(then action: @escaping @Sendable () -> Void) {
    _ = finish()
    shards[0].queue.run { _, _ in action() }
  }

  package func tell(_ diagnostic: AggregatorDiagnostic) -> Bool { reports.hubs.tell(diagnostic) }

  /// Reads while no row changes; `nil` inside of `apply`.
  ///
  /// - Parameter copy: gets a function that returns the state of a row.
  package func readOutsideApply<Copy>(_ copy: ((Key) -> State?) -> Copy) -> Copy? {
    shards[0].read { store in copy(store.state) }
  }

  /// Puts in rows that were there before, without a notification and without a record.
  package func restore(_ rows: [(key: Key, value: State)]) {
    shards[0].queue.run { shell, access in
      for (key, row) in rows { shell.restore(row, for: key, access) }
    }
  }

  /// Removes the rows that are too many.
  package func evict() {
    shards[0].queue.run { shell, access in shell.evict(access) }
  }
}
