import RASPJournal
import Streams

/// One record as a log without entries. An aggregator on it has the rows of the record, as the next owner would have them.
struct RecordedLog: EventLog {
  let name: String
  let partitions: Int
  let partition: Int
  let record: LogRecord

  /// The rows of a record.
  static func rows(
    of record: LogRecord,
    in partition: Int,
    of log: any EventLog<StormEvent>
  ) async throws(LogError) -> [Int: StormRow] {
    let recorded = RecordedLog(name: log.name, partitions: log.partitions, partition: partition, record: record)
    let reader = try await LoggedAggregator<Int, StormRow>(
      by: \.key,
      initial: { _ in StormRow() },
      keys: StormRow.keyCoding,
      states: StormRow.coding,
      on: recorded
    )
    let rows = reader.snapshot.rows
    await reader.shutdown()
    return rows
  }

  func append(_ entries: [StormEvent], to partition: Int) async throws(LogError) -> Int { record.offset }

  func newest(in partition: Int) async throws(LogError) -> Int { record.offset }

  func entries(of partition: Int, after offset: Int) -> LogEntries<StormEvent> {
    LogEntries {
      { () async throws(LogError) -> LogBatch<StormEvent>? in
        // Nothing comes. If it ended, the aggregator would drop the rows.
        for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(60)) }) {}
        return nil
      }
    }
  }

  func committed(_ partition: Int) async throws(LogError) -> LogRecord { record }

  func commit(
    _ rows: [UInt8],
    at offset: Int,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision { revision }

  func assignment(of member: String) -> Observable<Set<Int>, Never> {
    Observable.never.prepend([partition])
  }

  func close() async throws(LogError) {}
}
