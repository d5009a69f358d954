public import RASPJournal
public import Streams

/// A log of entries in partitions, which several owners may follow and fold, each a part of the partitions.
///
/// ```swift
/// let log = try FileLog<Reading>(at: "readings")           // one process, nothing installed
/// let readings = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
/// ```
///
/// ``MemoryLog`` and ``FileLog`` conform to it. A ``LoggedAggregator`` uses it; an application seldom calls more than
/// ``append(_:to:)``. A log of your own is checked with `LogLaw` of `RASPLogsTesting`.
///
/// ### What a log promises
///
/// - The entries of a partition have the offsets 1, 2, 3 …, without a hole, and never change. There is no order between
///   partitions.
/// - A partition has one ``LogRecord``: bytes of its owner, with the offset of the last entry that is folded into them.
///   It is replaced as a whole, and only by a caller who names its present revision. So an owner takes a partition over
///   by writing the record back, and the owner before can never write it again, however late it tries.
/// - A log that has less than it had before is noticed, also when it has grown again: see ``EntryIdentity`` and
///   ``LogError/wentBack(log:partition:newest:wanted:)``.
///
/// - Concurrency: every member may be called from any task.
public protocol EventLog<Entry>: Sendable {
  /// What is appended.
  associatedtype Entry: Sendable

  /// The name of the log. With the partition and the offset it names an entry in all the world.
  var name: String { get }

  /// The number of partitions, which was fixed when the log was made. They are counted from 0.
  var partitions: Int { get }

  /// What becomes of an entry that cannot be used. The log passes over those that cannot be read, and names them in
  /// ``LogBatch/skipped``; a ``LoggedAggregator`` does so with those that stand in the wrong partition. The standard is
  /// ``/RASPJournal/PoisonPolicy/stop``.
  var poison: PoisonPolicy { get }

  /// Appends entries, which are next to each other or between those of other callers.
  ///
  /// - Returns: the offset of the last one, when all are durable: as durable as the log was told to make them. Without
  ///   entries it is the newest offset.
  /// - Ordering: the entries keep their order. A caller who waits for each call has an order over its calls.
  /// - Errors: ``LogError/unacknowledged(log:partition:)`` if it is not known whether the entries were appended.
  ///   Cancelling the task does not take anything back.
  @discardableResult
  func append(_ entries: [Entry], to partition: Int) async throws(LogError) -> Int

  /// The offset of the newest entry; 0 if there is none.
  func newest(in partition: Int) async throws(LogError) -> Int

  /// The entries behind an offset, and then those that are appended while the sequence is read.
  ///
  /// The sequence is read at the speed of its reader. It ends when the log is closed, or when the task is cancelled.
  ///
  /// - Parameters:
  ///   - partition: the partition.
  ///   - offset: that of the last entry that the reader has.
  ///   - identity: that of this entry. The log compares it before the first batch, and what it has read whenever it
  ///     may have gone back since.
  /// - Errors: ``LogError/wentBack(log:partition:newest:wanted:)`` if the newest entry is before the offset, or the
  ///   entry at the offset is another one, and ``LogError/missing(log:partition:offset:)`` if the entries behind it are
  ///   not there any more.
  func entries(of partition: Int, after offset: Int, identified identity: EntryIdentity) -> LogEntries<Entry>

  /// Which of these offsets have entries that were deleted on purpose, by a user or by a rule of the log. What is
  /// neither there nor deleted was lost. A log that never deletes single entries need not answer: then there are none.
  ///
  /// - Returns: ranges in their order, which do not overlap.
  func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>]

  /// The identity of an entry.
  ///
  /// - Returns: ``EntryIdentity/unknown`` if there is no such entry. If it was the last one of those that the log has
  ///   deleted by its own rule, its identity is kept.
  func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity

  /// The record of a partition. One that was never written has no rows, the offset 0 and the revision
  /// ``LogRevision/none``.
  func committed(_ partition: Int) async throws(LogError) -> LogRecord

  /// Replaces the record of a partition, if it has the revision. When this returns, the record is durable.
  ///
  /// - Parameters:
  ///   - rows: the bytes of the owner.
  ///   - offset: the entry up to which they are folded. It is not before that of the record, and not behind the newest
  ///     entry.
  ///   - identity: that of this entry, as it was read with it.
  ///   - partition: the partition.
  ///   - revision: what ``committed(_:)`` or the last call has returned.
  /// - Returns: the revision of the new record.
  /// - Errors: ``LogError/deposed(log:partition:)`` if the record has another revision.
  @discardableResult
  func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision

  /// The partitions that a member should own: those of now, and all of them again whenever they change.
  ///
  /// Each partition has one member. A subscription makes the caller a member, and its end lets the others have its
  /// partitions. A log of several processes has a lease for each member, which it renews while there is a subscription;
  /// a process that hangs loses its partitions when its lease is over. An assignment only avoids useless work. Two
  /// members that own one partition at once do no harm, because the record has one revision.
  ///
  /// - Parameter member: a name that no other member has.
  func assignment(of member: String) -> Observable<Set<Int>, Never>

  /// The owners of all partitions: those of now, and all of them again whenever they change.
  ///
  /// With a member, a subscription makes it one, as ``assignment(of:)`` does. Other members and those who only look see
  /// its address. A log that knows only the partitions of the caller need not answer: then they are all that is known.
  ///
  /// - Parameter member: the member that joins; `nil` for those who only look.
  func owners(joining member: LogOwner?) -> Observable<LogOwners, Never>

  /// Ends the log for this process: sequences and assignments finish, and every other call throws
  /// ``LogError/closed(log:)``. Closing it again does nothing.
  func close() async throws(LogError)
}

extension EventLog {
  /// The partition that a key belongs to.
  ///
  /// - Complexity: O(bytes of the key).
  public func partition(of key: some PartitionKey) -> Int { PartitionHasher.partition(of: key, among: partitions) }

  /// What cannot be used is an error.
  public var poison: PoisonPolicy { .stop }

  /// Nothing was deleted on purpose.
  public func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    []
  }

  /// Only the partitions of the member are known, by ``assignment(of:)``.
  public func owners(joining member: LogOwner?) -> Observable<LogOwners, Never> {
    let count = partitions
    guard let member else {
      return Observable { producer in producer.send(LogOwners(Array(repeating: nil, count: count))) }
    }
    return assignment(of: member.member).map { share in
      LogOwners((0..<count).map { share.contains($0) ? member : nil })
    }
  }

  /// The entries behind an offset, without a look at which entry is there; see ``entries(of:after:identified:)``.
  public func entries(of partition: Int, after offset: Int) -> LogEntries<Entry> {
    entries(of: partition, after: offset, identified: .unknown)
  }

  /// Replaces the record of a partition, and does not say which entry is at the offset; see
  /// ``commit(_:at:identified:to:replacing:)``.
  @discardableResult
  public func commit(
    _ rows: [UInt8],
    at offset: Int,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    try await commit(rows, at: offset, identified: .unknown, to: partition, replacing: revision)
  }
}
