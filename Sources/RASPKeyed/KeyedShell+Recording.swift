import Aggregate
import RASPPrimitives
import Streams

/// One step of one row, as it is recorded.
@usableFromInline
package struct RecordedStep<Key: Hashable & Sendable, State: AggregateState> {
  @usableFromInline package let step: RowStep<Key, State>
  @usableFromInline let row: KeyedRow<Key, State>?

  @inlinable
  init(_ change: RowStep<Key, State>.Change, of key: Key, before row: KeyedRow<Key, State>?) {
    step = RowStep(key: key, change)
    self.row = row
  }

  /// The state of the row before the step.
  @inlinable package var state: State? { row?.state }
}

/// What a recorded step has taken the place of.
@usableFromInline
package typealias RowGarbage<Key: Hashable & Sendable, State: AggregateState> = (
  step: RowStep<Key, State>?, state: State?
)

extension KeyedShell {
  /// Runs `body`, which folds a step and tells of it, as something that is recorded, if it is. The shell keeps the hook
  /// alive meanwhile.
  @inlinable
  @inline(__always)
  static func numbering<Failure: Error>(
    by hook: Hook?,
    _ access: QueueAccess,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    guard let hook else { return try body() }
    try Hook.numbering(by: .passUnretained(hook), access) { _ throws(Failure) in try body() }
  }

  /// Records a step, where no other thread reads.
  @inlinable
  func record(_ change: RowStep<Key, State>.Change, of key: Key, before row: Row?) -> RowGarbage<Key, State>? {
    hook?.note(RecordedStep(change, of: key, before: row))
  }
}

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

  /// Puts in rows that were there before, which tells nobody and is not recorded.
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
