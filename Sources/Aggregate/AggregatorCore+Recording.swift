import Streams

extension AggregatorCore: RecordedCore {
  @usableFromInline package typealias Hook = RecordingHook<State.Event, State.Event?>

  package func begin<Released>(_ hook: Hook, _ prepare: @escaping @Sendable () -> Released) {
    queue.run { [self] shell, _ in
      // The owner changes it as it does in a fold, so that those who read see what is recorded and the state of one
      // moment.
      let released = state.contents.pointee.folding.gate.change(prepare)
      withExtendedLifetime(released) {}
      // Two recorders that begin at once come here in any order. One that has been released meanwhile records nothing.
      guard recording.withLock({ $0.hook === hook }), !shell.tree.hasEnded else { return }
      shell.hook = hook
      shell.isWatched = true
    }
  }

  package func end(_ hook: Hook) {
    queue.runWithoutDelivering { shell, _ -> Hook? in
      guard shell.hook === hook else { return nil }
      shell.isWatched = shell.steps != nil
      return shell.hook.take()
    }
  }

  package func finish(then action: @escaping @Sendable () -> Void) {
    _ = finish()
    queue.run { _, _ in action() }
  }

  package func tell(_ diagnostic: AggregatorDiagnostic) -> Bool { reports.hubs.tell(diagnostic) }

  /// The state as the owner of the queue sees it.
  package var ownState: UnsafePointer<State> { state.pointer }

  /// Reads while the state does not change; `nil` inside of `apply`.
  package func readOutsideApply<Copy>(_ copy: (UnsafePointer<State>) -> Copy) -> Copy? {
    state.contents.pointee.folding.gate.read { copy(state.pointer) }
  }
}
