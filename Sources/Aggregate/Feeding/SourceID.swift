import Synchronization

/// The identity of a source of an aggregator. It is unique in the process, also across aggregators.
public struct SourceID: Sendable, Hashable {
  private static let made = Atomic<UInt64>(0)

  /// It is never given to another source, and rises in the order in which sources are made.
  let number: UInt64

  /// Makes an identity that no source has: for a test or a preview of what an aggregator reports.
  public init() {
    number = Self.made.add(1, ordering: .relaxed).newValue
  }
}

/// A source that failed and was detached; the aggregator goes on without it.
public struct SourceFailure: Sendable {
  /// The source, as ``Aggregator/add(_:)`` named it.
  public let source: SourceID

  /// The name that it was given by ``Aggregator/add(_:as:on:)``.
  public let name: String?

  /// The failure that ended it.
  public let error: any Error

  /// Makes one, for a test or a preview.
  public init(source: SourceID, name: String? = nil, error: any Error) {
    (self.source, self.name, self.error) = (source, name, error)
  }
}
