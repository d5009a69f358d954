public import RASPLogs

/// What every log must do. The author of an ``/RASPLogs/EventLog`` runs all of them over it:
///
///     @Test(arguments: LogLaw.allCases)
///     func law(_ law: LogLaw) async throws {
///       let folder = …
///       try await law.check { try FileLog<String>(at: folder, partitions: LogLaw.partitions) }
///     }
///
/// A log that hangs has the test hang, so give it a time limit.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum LogLaw: String, CaseIterable, Sendable {
  /// Offsets are 1, 2, 3 … in each partition, and what ``/RASPLogs/EventLog/append(_:to:)`` returns is the last one.
  case denseOffsets
  /// Many and large entries come back as they were, in their order, in batches that follow each other.
  case completeBatches
  /// Callers at once: nothing is lost or doubled, and each caller's entries keep their order.
  case concurrentAppends
  /// A reader behind the newest entry waits for the next one.
  case waitingReader
  /// A reader that stops for a while reads all that has come meanwhile.
  case slowReader
  /// A cancelled reader ends, and the others go on.
  case cancelledReader
  /// An append of a cancelled task has thrown, or is there.
  case cancelledAppend
  /// To read behind an entry that is not there is an error.
  case wentBack
  /// To read behind an entry that is another one than it was is an error: the log went back and has grown again, or was
  /// deleted and made anew.
  case wentBackAndGrew
  /// An owner goes on at its record, also when the log has deleted the entries that the record has.
  case cutAtOffset
  /// A record is replaced only by who knows its revision.
  case compareAndSet
  /// A record is not replaced by one of an earlier offset, nor by one behind the newest entry.
  case commitRange
  /// Of several commits at once, one succeeds.
  case concurrentCommits
  /// An owner that was deposed never commits again.
  case fencing
  /// What was acknowledged is there when the log is opened again, and it goes on.
  case restart
  /// A partition that is not there is an error.
  case noPartition
  /// Members divide the partitions among them, and those of one that leaves go to the others.
  case assignment
  /// Each member's partitions are those of the table of owners, and where the table has another member, it has the
  /// address of it. Who only looks is no member.
  case owners
  /// After closing, readers and assignments end, and calls throw.
  case closing

  /// The number of partitions that the log must have.
  public static let partitions = 3

  /// A law that a log does not keep.
  public struct Violation: Error, CustomStringConvertible {
    /// The law.
    public let law: LogLaw
    /// What was found.
    public let description: String
  }

  /// Checks one law.
  ///
  /// - Parameters:
  ///   - storage: does what happens to a log from outside. Without it, the laws do what they can.
  ///   - open: opens the log: a new one, and the same one again when the one before was closed. The law calls it, and
  ///     closes what it returns.
  /// - Errors: ``Violation``, and what the log throws where it must not.
  public func check<Log: EventLog<String>>(
    on storage: LogStorage? = nil,
    _ open: @escaping @Sendable () async throws -> Log
  ) async throws {
    try await check(patience: .seconds(60), on: storage, open)
  }

  /// - Parameter patience: how long it may take until a waiting reader has an entry, until members divide the
  ///   partitions, and until assignments end.
  package func check<Log: EventLog<String>>(
    patience: Duration,
    on storage: LogStorage? = nil,
    _ open: @escaping @Sendable () async throws -> Log
  ) async throws {
    switch self {
    case .restart: return try await checkRestart(open)
    case .wentBackAndGrew: return try await checkWentBackAndGrew(storage, open)
    case .cutAtOffset: return try await checkCutAtOffset(storage, open)
    default: break
    }
    let log = try await open()
    do {
      try await check(log, patience)
    } catch {
      try? await log.close()
      throw error
    }
    try await log.close()
  }

  private func check(_ log: some EventLog<String>, _ patience: Duration) async throws {
    switch self {
    case .denseOffsets: try await checkOffsets(log)
    case .completeBatches: try await checkBatches(log)
    case .concurrentAppends: try await checkConcurrentAppends(log)
    case .waitingReader: try await checkWaitingReader(log, patience)
    case .slowReader: try await checkSlowReader(log)
    case .cancelledReader: try await checkCancelledReader(log)
    case .cancelledAppend: try await checkCancelledAppend(log)
    case .wentBack: try await checkWentBack(log)
    case .compareAndSet: try await checkCompareAndSet(log)
    case .commitRange: try await checkCommitRange(log)
    case .concurrentCommits: try await checkConcurrentCommits(log)
    case .fencing: try await checkFencing(log)
    case .restart, .wentBackAndGrew, .cutAtOffset: break
    case .noPartition: try await checkPartitions(log)
    case .assignment: try await checkAssignment(log, patience)
    case .owners: try await checkOwners(log, patience)
    case .closing: try await checkClosing(log, patience)
    }
  }
}
