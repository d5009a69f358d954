import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS

extension StoredLine {
  /// A line about something that is wrong.
  ///
  /// - Parameter partition: where it is; `nil` if it concerns the whole log.
  fileprivate init(_ reason: String, of log: String, _ partition: Int?) {
    self.init(
      "\(log)\(partition.map { "/\($0)" } ?? ""): \(reason)",
      ["log": log, "partition": partition, "problem": reason]
    )
  }

  /// A line about a log that cannot be opened.
  package init(_ failure: LogError, of log: String) {
    self.init("it cannot be opened: \(failure)", of: log, nil)
  }
}

extension StoredLog {
  package func verify(_ write: (StoredLine) -> Void) async throws(LogError) -> StoredLine? {
    var isWhole = true
    func tell(_ reasons: [String], of partition: Int?) {
      isWhole = isWhole && reasons.isEmpty
      for reason in reasons { write(StoredLine(reason, of: name, partition)) }
    }
    var entries = 0
    var configurations: [StreamInformation.Configuration] = []
    for partition in 0..<partitions {
      guard let stream = try await stream(partition) else {
        tell(["its stream is gone"], of: partition)
        continue
      }
      configurations.append(stream.config)
      var reasons = settings(of: stream, partition)
      let checkpoints = CheckpointStore(connection, partition)
      var record = LogRecord.none
      do throws(LogError) {
        record = try await checkpoints.read()
        if let reason = try await difference(of: record, checkpoints, stream, partition) { reasons.append(reason) }
      } catch {
        if error.isTemporary { throw error }
        reasons.append("its record cannot be read: \(error)")
      }
      reasons += try await holes(in: stream, partition, behind: record.offset, &entries)
      tell(reasons, of: partition)
    }
    tell(different(configurations), of: nil)
    if !isWhole { return nil }
    return StoredLine(
      "\(partitions) partitions are whole, with \(entries) entries",
      ["entries": entries, "partitions": partitions]
    )
  }

  /// What a stream was made with, beside what stands in the description of the log.
  private func settings(of stream: StreamInformation, _ partition: Int) -> [String] {
    var reasons: [String] = []
    if let subjects = stream.config.subjects, Set(subjects) != Set(connection.names.subjects(partition)) {
      reasons.append("its stream has the subjects \(subjects.joined(separator: ", "))")
    }
    let denied = stream.config.deniesDeletion == true && stream.config.deniesPurging == true
    if denied != (deletion == .denied) {
      reasons.append("the log was made with deletion \(deletion.rawValue), and its stream says something else")
    }
    return reasons
  }

  /// Partitions whose streams differ in what all of them should have.
  private func different(_ configurations: [StreamInformation.Configuration]) -> [String] {
    let values: [(String, [String])] = [
      ("replicas", configurations.map { "\($0.replicas)" }),
      ("duplicate windows", configurations.map { "\(Duration.nanoseconds($0.duplicateWindow ?? 0))" }),
      ("greatest sizes", configurations.map { "\($0.maxBytes ?? -1)" }),
    ]
    return values.compactMap { name, values in
      let different = Set(values).sorted()
      if different.count < 2 { return nil }
      let list = different.joined(separator: ", ")
      return "its partitions have different \(name): \(list)"
    }
  }

  /// How a record differs from the entries that are there; `nil` if it is theirs.
  private func difference(
    of record: LogRecord,
    _ checkpoints: CheckpointStore,
    _ stream: StreamInformation,
    _ partition: Int
  ) async throws(LogError) -> String? {
    guard record.offset > 0 else { return nil }
    let state = stream.state
    if record.offset > state.last {
      return "it went back: its record is at \(record.offset), and the newest entry is \(state.last)"
    }
    let name = connection.names.stream(partition)
    let kept = try await connection.retrying(partition) { jetStream async throws(JetStreamError) in
      try await jetStream.identity(of: record.offset, in: name)
    }
    let identity: EntryIdentity
    if let kept {
      identity = kept
    } else {
      identity = try await checkpoints.identity(of: record.offset, created: stream.creation)
    }
    return identity.fits(record.identity)
      ? nil : "it went back: the entry \(record.offset) is another one than that of its record"
  }

  /// Entries that are not there and were not deleted on purpose.
  private func holes(
    in stream: StreamInformation,
    _ partition: Int,
    behind record: Int,
    _ entries: inout Int
  ) async throws(LogError) -> [String] {
    let state = stream.state
    guard state.last > 0 else { return [] }
    var reasons: [String] = []
    // What is in front of the record is not read again.
    var next = min(record + 1, state.first)
    var missing: [ClosedRange<Int>] = []
    var count = 0
    try await read(partition, 1...state.last) { entries async throws(LogError) in
      count += entries.count
      for entry in entries {
        if entry.offset > next { missing.append(next...entry.offset - 1) }
        next = max(next, entry.offset + 1)
        if ServerTime.nanoseconds(entry.time) != nil { continue }
        reasons.append("the entry \(entry.offset) has a time that cannot be read, \(entry.time)")
      }
    }
    entries += count
    if next <= state.last { missing.append(next...state.last) }
    for range in missing {
      guard let lost = try await DeletedEntries(log: connection).firstLost(in: range, of: partition) else { continue }
      reasons.append("the entries from \(lost) to \(range.upperBound) are not there, and it is not known why")
    }
    return reasons
  }
}
