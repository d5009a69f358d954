public import RASPJournal

/// Why a log cannot do what it was asked for. Its description names the log, the place and the remedy.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LogError: Error, Sendable, CustomStringConvertible {
  /// Another owner has written the record of the partition since: the caller is not its owner any more.
  case deposed(log: String, partition: Int)

  /// The log has less than it had before, or had less for a while, so that what was folded cannot be trusted.
  ///
  /// - Parameters:
  ///   - newest: the offset of the newest entry that is there.
  ///   - wanted: the offset of an entry that was there. If `newest` is not before it, another entry is there now.
  case wentBack(log: String, partition: Int, newest: Int, wanted: Int)

  /// Entries from this offset on are needed, and are not there any more.
  case missing(log: String, partition: Int, offset: Int)

  /// An entry is not in the partition to which its key belongs.
  ///
  /// - Parameter belongs: the partition of its key.
  case misplaced(log: String, partition: Int, offset: Int, belongs: Int)

  /// There was no answer: what was asked for was done, or was not.
  case unacknowledged(log: String, partition: Int)

  /// Of events that belong to several partitions, some were not appended. Append again only those whose partitions have
  /// failed, as each of the errors says; after `wentBack` they are there.
  ///
  /// - Parameters:
  ///   - appended: the position of the last event in each partition whose events are all durable.
  ///   - failures: why the events of each other partition were not appended, or why that is not known.
  case partlyAppended(log: String, appended: [LogPosition], failures: [Int: LogError])

  /// The log cannot be reached now.
  case unavailable(log: String, reason: String)

  /// The log does not take what was asked for, and will not take it a moment later.
  ///
  /// - Parameter partition: `nil` if it concerns the whole log.
  case refused(log: String, partition: Int?, reason: String)

  /// The log was closed.
  case closed(log: String)

  /// There is no such partition.
  case noPartition(log: String, partition: Int, partitions: Int)

  /// The log was made with another number of partitions.
  case partitionCount(log: String, found: Int, wanted: Int)

  /// A commit names an entry that cannot be the last one of its rows.
  case invalidOffset(log: String, partition: Int, offset: Int, valid: ClosedRange<Int>)

  /// The task was cancelled before what it waits for was there.
  case cancelled(log: String)

  /// The partition is neither owned nor followed here, so its rows are not here.
  case notOwned(log: String, partition: Int)

  /// An entry cannot be read.
  case unreadable(log: String, partition: Int, offset: Int, reason: CodingError)

  /// The record of the partition was written by a later version of the program, which counts otherwise.
  ///
  /// - Parameter type: the type in the record, with its version.
  case newer(log: String, partition: Int, type: TypeVersion)

  /// A value has no bytes, or bytes have no value.
  case coding(log: String, partition: Int, reason: CodingError)

  /// The files of the log cannot be used.
  case files(log: String, reason: JournalError)

  /// Whether the same call may succeed a moment later.
  public var isTemporary: Bool {
    switch self {
    case .unacknowledged, .unavailable: true
    default: false
    }
  }

  /// A sentence in English, with the remedy.
  public var description: String {
    switch self {
    case .deposed(let log, let partition):
      """
      \(log), partition \(partition): another owner has taken the partition over. Read its record again to take it back, or \
      leave it to the other one.
      """
    case .wentBack(let log, let partition, let newest, let wanted):
      """
      \(log), partition \(partition): entry \(wanted) was there, and \
      \(newest < wanted ? "the newest one is \(newest) now" : "another one is in its place now"). An older copy of the log \
      was put in its place, or what was acknowledged was lost. Bring the log back, or remove the record of the partition \
      so that all is folded again.
      """
    case .missing(let log, let partition, let offset):
      """
      \(log), partition \(partition): entry \(offset) is needed and is not there any more. Keep entries until the record of \
      the partition has them.
      """
    case .misplaced(let log, let partition, let offset, let belongs):
      """
      \(log), partition \(partition), entry \(offset): its key belongs to partition \(belongs). All who append must compute \
      the partition with `partition(of:)` of the log, from the same key; a text is hashed in its composed form (NFC). \
      `PoisonPolicy` tells how it is passed over.
      """
    case .unreadable(let log, let partition, let offset, let reason):
      """
      \(log), partition \(partition), entry \(offset): \(reason) `PoisonPolicy`, where the log is opened, tells how it is \
      passed over.
      """
    case .newer(let log, let partition, let type):
      """
      \(log), partition \(partition): its record has \(type.name) in version \(type.version), which this program does not \
      know yet. Start the later version, or remove the record so that all is folded again.
      """
    case .unacknowledged(let log, let partition):
      """
      \(log), partition \(partition): there was no answer, so the call has had its effect or not. Append again only entries \
      that may be there twice.
      """
    case .partlyAppended(let log, let appended, let failures):
      """
      \(log): the events of \(failures.count) of \(failures.count + appended.count) partitions were not appended, or that \
      is not known: \
      \(failures.sorted { $0.key < $1.key }.map { "\($0.value)" }.joined(separator: " "))
      """
    case .unavailable(let log, let reason):
      "\(log): the log cannot be reached: \(reason). Try again."
    case .refused(let log, let partition, let reason):
      "\(log)\(partition.map { ", partition \($0)" } ?? ""): \(reason)"
    case .closed(let log):
      "\(log): the log is closed."
    case .noPartition(let log, let partition, let partitions):
      "\(log): there is no partition \(partition). The log has \(partitions), from 0 to \(partitions - 1)."
    case .partitionCount(let log, let found, let wanted):
      """
      \(log): the log was made with \(found) partitions, and not with \(wanted). The number cannot change; append the \
      entries to a new log.
      """
    case .invalidOffset(let log, let partition, let offset, let valid):
      """
      \(log), partition \(partition): rows cannot be committed at offset \(offset). It must be in \(valid): from that of the \
      record to the newest entry.
      """
    case .cancelled(let log):
      "\(log): the task was cancelled while it waited."
    case .notOwned(let log, let partition):
      "\(log), partition \(partition): the partition is not owned here. Ask its owner, or wait until it is assigned."
    case .coding(let log, let partition, let reason):
      "\(log), partition \(partition): \(reason)"
    case .files(let log, let reason):
      "\(log): \(reason)"
    }
  }
}
