import Aggregate
import Streams

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
