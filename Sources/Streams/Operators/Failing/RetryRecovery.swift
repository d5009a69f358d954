/// The end of an outage: what makes a retry count from the beginning again.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RetryRecovery: Sendable, Hashable {
  /// A value.
  case value

  /// Nothing: all failures of a subscription belong to one outage.
  case never
}
