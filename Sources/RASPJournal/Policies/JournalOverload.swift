/// What a journal does when the disk is slower than the events, so that more of them wait than it has room for.
public enum JournalOverload: Hashable, Sendable {
  /// The fold waits until there is room, and with it all who send: the standard. ``Journal/stallCount`` counts it.
  case wait

  /// The journal ends with ``JournalError/overloaded(folder:waiting:)``, and the aggregator goes on. The events before are
  /// written.
  case stop
}
