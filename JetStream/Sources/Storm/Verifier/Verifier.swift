import RASPLogs

/// Judges a log after a storm. It reads each partition from its first entry, folds it by itself, and compares the
/// result with the record that the owners have committed.
struct Verifier: Sendable {
  let log: any EventLog<StormEvent>
  let report: AppendReport

  func verify() async throws -> Findings {
    var findings = Findings()
    findings.acknowledged = report.count(.acknowledged)
    findings.unknown = report.count(.unknown)
    for partition in 0..<log.partitions {
      let entries = try await read(partition, &findings)
      check(entries, of: partition, &findings)
      try await compare(entries, of: partition, &findings)
    }
    return findings
  }

  private func read(_ partition: Int, _ findings: inout Findings) async throws -> [StormEvent] {
    let newest = try await log.newest(in: partition)
    var events: [StormEvent] = []
    var offset = 0
    if newest > 0 {
      for try await batch in log.entries(of: partition, after: 0) {
        for logged in batch.entries {
          if logged.offset != offset + 1 {
            findings.gaps += 1
            findings.explain("partition \(partition): offset \(logged.offset) follows \(offset)")
          }
          offset = logged.offset
          events.append(logged.entry)
        }
        if offset >= newest { break }
      }
    }
    if offset < newest {
      findings.gaps += 1
      findings.explain("partition \(partition): it ends at \(offset), and the newest entry is \(newest)")
    }
    assert(findings.gaps > 0 || events.count == offset, "Without a gap each offset has one event.")
    findings.events += events.count
    return events
  }

  /// Compares the entries with what publishers know.
  private func check(_ events: [StormEvent], of partition: Int, _ findings: inout Findings) {
    var seen: [Int: Set<Int>] = [:]
    var greatest: [Int: Int] = [:]
    for event in events {
      if !seen[event.publisher, default: []].insert(event.number).inserted {
        findings.doubled += 1
        findings.explain("partition \(partition): \(event) is there again")
      } else if event.number < greatest[event.publisher, default: 0] {
        findings.disordered += 1
        findings.explain("partition \(partition): \(event) stands behind a later one")
      }
      greatest[event.publisher] = max(event.number, greatest[event.publisher, default: 0])
    }
    let publishers = Set(seen.keys).union(report.publishers(of: partition))
    for publisher in publishers {
      var fates = report.fates(of: AppendReport.Series(publisher: publisher, partition: partition))
      for number in seen[publisher] ?? [] {
        switch fates.removeValue(forKey: number) {
        case .acknowledged: break
        case .unknown: findings.unknownFound += 1
        case nil:
          findings.foreign += 1
          findings.explain("partition \(partition): publisher \(publisher) did not append \(number)")
        }
      }
      for (number, fate) in fates where fate == .acknowledged {
        findings.lost += 1
        findings.explain(
          "partition \(partition): \(number) of publisher \(publisher) is not there, and was acknowledged"
        )
      }
    }
  }

  /// Compares the record with a fold of its own.
  private func compare(_ events: [StormEvent], of partition: Int, _ findings: inout Findings) async throws {
    let record = try await log.committed(partition)
    if record.offset != events.count {
      findings.unfinished += 1
      findings.explain("partition \(partition): the record is at \(record.offset) of \(events.count)")
    }
    var folded: [Int: StormRow] = [:]
    for event in events.prefix(record.offset) {
      let row = folded[event.key] ?? StormRow()
      folded[event.key] = StormRow(count: row.count + 1, hash: event.hash(after: row.hash))
    }
    let committed = try await rows(of: record, events, in: partition)
    findings.rows += folded.count
    for key in Set(folded.keys).union(committed.keys) where folded[key] != committed[key] {
      findings.wrongRows += 1
      findings.wrongPartitions.insert(partition)
      findings.explain("partition \(partition), key \(key): \(text(committed[key])) instead of \(text(folded[key]))")
    }
  }

  /// The rows of a record as the next owner would have them: those of an aggregator on a log that ends with it.
  private func rows(
    of record: LogRecord,
    _ events: [StormEvent],
    in partition: Int
  ) async throws(LogError) -> [Int: StormRow] {
    let recorded = MemoryLog<StormEvent>(partitions: log.partitions)
    let newest = try await recorded.append(Array(events.prefix(record.offset)), to: partition)
    try await recorded.commit(record.rows, at: newest, to: partition, replacing: .none)
    return try await StormRow.folded(from: recorded)
  }

  private func text(_ row: StormRow?) -> String {
    row.map { "\($0.count) events with the hash \(String($0.hash, radix: 16))" } ?? "no row"
  }
}
