/// The end of an outage: what makes a retry count from the beginning again.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RetryRecovery: Sendable, Hashable {
  /// A value.
  case value

  /// A try that fails this long after its first value, or later. For a source that sends a greeting before it fails.
  case health(for: Duration)

  /// Nothing: all failures of a subscription belong to one outage.
  case never
}
