/// What a journal found when it was opened.
public struct JournalRecovery: Sendable {
  /// The newest event: that with which the state continues.
  public internal(set) var event = 0

  /// The event of the snapshot from which the state was restored; 0 if it was folded from the first event.
  public internal(set) var snapshot = 0

  /// Snapshots that could not be used, and why: one that is damaged, or of another version of the state.
  public internal(set) var ignored: [(event: Int, reason: JournalError)] = []

  /// Events that could not be read, and were passed over: the first hundred of those behind the snapshot.
  public internal(set) var skipped: [(event: Int, reason: CodingError)] = []

  /// How many events were passed over.
  public internal(set) var skippedCount = 0

  /// How many bytes were cut off: those behind the last whole batch, because the process or the power had ended while
  /// they were being written, and all that a repair has put aside. They are kept in files whose names end with `.cut`.
  public internal(set) var cutBytes = 0
}

extension JournalRecovery {
  /// How many events are named that were passed over.
  private static var mostNamed: Int { 100 }

  mutating func skip(_ event: Int, _ reason: CodingError) {
    skippedCount += 1
    if skipped.count < Self.mostNamed { skipped.append((event, reason)) }
  }
}
