/// What tells an entry from another one that has the same offset, in a log that went back and has grown again or that
/// was deleted and made anew.
///
/// An owner keeps that of the newest entry it has folded in its ``LogRecord``, and goes on only if it is still that of
/// the entry in the log. An entry keeps its identity as long as the log is there, also when the log is opened again.
/// Entries next to each other may have the same one.
public struct EntryIdentity: Hashable, Sendable {
  /// What the log knows of the entry, such as its time, a checksum or a random number.
  public let high: UInt64
  /// The other half.
  public let low: UInt64

  /// Makes an identity, as a log does. Both halves together are random enough that no other entry has them.
  public init(_ high: UInt64, _ low: UInt64) {
    self.high = high
    self.low = low
  }

  /// That of an entry of which nothing is known. It is not compared.
  public static let unknown = EntryIdentity(0, 0)

  /// Whether both may be those of one entry.
  public func fits(_ other: EntryIdentity) -> Bool {
    self == other || self == .unknown || other == .unknown
  }
}
