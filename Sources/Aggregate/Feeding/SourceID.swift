/// The identity of a source of an aggregator. It is unique, also across aggregators.
public struct SourceID: Sendable, Hashable {
  private final class Token: Sendable {}

  private let token = Token()

  @usableFromInline
  init() {}

  /// Returns whether both name one source.
  ///
  /// - Complexity: O(1).
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.token === rhs.token
  }

  /// Hashes the identity.
  ///
  /// - Complexity: O(1).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(token))
  }
}

/// A source that failed and was detached; the aggregator goes on without it.
public struct SourceFailure: Sendable {
  /// The source, as ``Aggregator/add(_:)`` named it.
  public let source: SourceID

  /// The failure that ended it.
  public let error: any Error
}
