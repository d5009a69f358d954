/// What becomes of an event or an entry that cannot be used: it cannot be read, or it stands in a partition of a log to
/// which its key does not belong.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PoisonPolicy: Hashable, Sendable {
  /// It is an error, and nothing behind it is read: the standard. Nothing is lost, but one malformed message stops all
  /// that come after it.
  case stop

  /// It is passed over and reported. It stays where it is as long as the events around it do.
  case skip
}
