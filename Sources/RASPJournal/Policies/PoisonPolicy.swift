/// What becomes of an event or an entry that cannot be used: it cannot be read, or it stands in a partition of a log to
/// which its key does not belong.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PoisonPolicy: Hashable, Sendable {
  /// It is an error, and nothing behind it is read: the standard. Nothing is lost, but one malformed message stops all
  /// that come after it. In files, one that was set aside before, by ``setAside`` or by hand, is passed over.
  case stop

  /// It is passed over and reported. It stays where it is as long as the events around it do.
  case skip

  /// As ``skip``, and what was written is copied to a place of its own first, with the reason.
  case setAside
}
