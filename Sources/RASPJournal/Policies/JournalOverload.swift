/// What a journal does when the disk is slower than the events, so that more of them wait than it has room for.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum JournalOverload: Hashable, Sendable {
  /// The fold waits until there is room: the standard. ``Journal/stallCount`` counts it.
  ///
  /// The thread that folds waits, which is that of one sender. Others that send meanwhile do not wait: their events go
  /// into the line of the aggregator, which has no bound unless its `buffering` gives it one. `submit(_:)` waits for
  /// its event.
  case wait

  /// The journal ends with ``JournalError/overloaded(folder:waiting:)``, and the aggregator goes on. The events before
  /// are written.
  case stop
}
