/// An entry of a log, with its place and its time.
public struct Logged<Entry: Sendable>: Sendable {
  /// The offset in the partition.
  public let offset: Int

  /// When it was appended, since 1970, by the clock of the log: it goes back where that clock was set back. It is the
  /// same whenever the entry is read.
  public let time: Duration

  /// What was appended.
  public let entry: Entry

  /// Puts an entry together.
  public init(offset: Int, time: Duration, entry: Entry) {
    self.offset = offset
    self.time = time
    self.entry = entry
  }
}

extension Logged: Equatable where Entry: Equatable {}

/// Entries of one partition that are next to each other.
///
/// The batches of a sequence follow each other without a hole: each begins behind the offset with which the one before
/// has ended. A batch may have more or fewer entries than offsets, because an entry of an older version may have become
/// several, or none; see ``/RASPJournal/Coding/reading(version:with:named:_:)``; and because entries may have been
/// skipped or deleted.
public struct LogBatch<Entry: Sendable>: Sendable {
  /// The offsets that the batch stands for.
  public let offsets: ClosedRange<Int>

  /// The entries in the order of their offsets.
  public let entries: [Logged<Entry>]

  /// The entries that were passed over, because they cannot be read.
  public let skipped: [SkippedEntry]

  /// That of the entry at the last one of the offsets.
  public let identity: EntryIdentity

  /// Puts a batch together.
  public init(
    offsets: ClosedRange<Int>,
    entries: [Logged<Entry>],
    skipped: [SkippedEntry] = [],
    identity: EntryIdentity = .unknown
  ) {
    self.offsets = offsets
    self.entries = entries
    self.skipped = skipped
    self.identity = identity
  }
}

extension LogBatch: Equatable where Entry: Equatable {}
