/// What records the events of one aggregator, and the number of recorders that use it.
@usableFromInline
package struct RecordingUse<Hook: AnyObject & Sendable>: Sendable {
  /// `nil` while nothing is recorded.
  package private(set) var hook: Hook?
  private var recorders = 0

  @usableFromInline
  package init() {}

  /// Adds a recorder.
  ///
  /// - Parameter make: makes the hook, if nothing is recorded yet.
  package mutating func begin(_ make: () -> Hook) -> Hook {
    recorders += 1
    let hook = hook ?? make()
    self.hook = hook
    return hook
  }

  /// Removes a recorder.
  ///
  /// - Returns: `true` if it was the last one.
  package mutating func end(_ hook: Hook) -> Bool {
    assert(self.hook === hook, "A recorder ends the use of a hook that is not used.")
    recorders -= 1
    if recorders == 0 { self.hook = nil }
    return recorders == 0
  }
}
