/// What has become of a partition; see ``LoggedAggregator/ownership``.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LogOwnership: Sendable {
  /// The partition was taken over. Its rows are there as they were committed, and the entries behind them are being
  /// folded.
  case restoring(partition: Int)

  /// All entries that were there when the partition was taken over are folded.
  case live(partition: Int)

  /// Another owner has taken the partition over. Its rows are gone here.
  case deposed(partition: Int)

  /// The partition cannot be folded. Its rows are gone here, and it is not tried again. Other partitions go on.
  case failed(partition: Int, error: LogError)

  /// The partition is folded here without being owned, and all entries that were there in the beginning are folded.
  case following(partition: Int)

  /// The partition was given back, with all that was folded committed if the log took it.
  case released(partition: Int)
}
