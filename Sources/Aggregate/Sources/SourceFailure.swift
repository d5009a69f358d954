/// A source that failed and was detached; the aggregator goes on without it.
public struct SourceFailure: Sendable {
  /// The source, as ``Aggregator/add(_:)`` named it.
  public let source: SourceID

  /// The failure that ended it.
  public let error: any Error
}
