/// What has become of a partition; see ``LoggedAggregator/ownership``.
public enum LogOwnership: Sendable {
  /// The partition was taken over. Its rows are there as they were committed, and the entries behind them are being
  /// folded.
  case restoring(Int)

  /// All entries that were there when the partition was taken over are folded.
  case live(Int)

  /// Another owner has taken the partition over. Its rows are gone here.
  case deposed(Int)

  /// The partition cannot be folded. Its rows are gone here, and it is not tried again.
  case failed(Int, LogError)

  /// The partition was given back, with all that was folded committed if the log took it.
  case released(Int)
}
