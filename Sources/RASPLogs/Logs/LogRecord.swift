/// The record of a partition: what its owner has folded, and up to where. Both are of one moment.
public struct LogRecord: Equatable, Sendable {
  /// The bytes of the owner.
  public let rows: [UInt8]

  /// The offset of the last entry that is folded into the rows.
  public let offset: Int

  /// What tells this entry from another one that has its offset in a log that went back.
  public let identity: EntryIdentity

  /// Which of the records that the partition has had it is.
  public let revision: LogRevision

  /// Puts a record together.
  public init(rows: [UInt8], offset: Int, identity: EntryIdentity = .unknown, revision: LogRevision) {
    self.rows = rows
    self.offset = offset
    self.identity = identity
    self.revision = revision
  }

  /// The record of a partition to which nothing was committed.
  public static let none = LogRecord(rows: [], offset: 0, revision: .none)
}

/// A number that each commit changes.
public struct LogRevision: Hashable, Sendable {
  /// The number, which only the log gives.
  public let number: UInt64

  /// Makes a revision, as a log does.
  public init(_ number: UInt64) {
    self.number = number
  }

  /// That of a record that was never written.
  public static let none = LogRevision(0)
}
