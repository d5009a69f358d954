/// Which source of an aggregator: unique, also across aggregators.
public struct SourceID: Sendable, Hashable {
  private final class Token: Sendable {}

  private let token = Token()

  @usableFromInline
  init() {}

  /// Whether both name one source.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.token === rhs.token
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(token))
  }
}
