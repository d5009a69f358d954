import RASPLogs

/// Judges a log after a storm. It reads each partition from its first entry, folds it by itself, and compares the
/// result with the record that the owners have committed.
struct Verifier: Sendable {
  let log: any EventLog<StormEvent>
  let report: AppendReport
  /// The reports of owners, by their names; without any their records alone are judged.
  var owners: [String: OwnerReport] = [:]
  /// Whether owners react to entries.
  var hasReactions = false
  /// When what was acknowledged went with the store, seconds since 1970; `nil` if no older one was put in its place.
  var gone: ClosedRange<Double>?
  /// Whether no owner was killed, so that the reports have all that was done.
  var isWhole = false

  func verify() async throws -> Findings {
    var findings = Findings()
    findings.acknowledged = report.count(.acknowledged)
    findings.unknown = report.count(.unknown)
    findings.refused = report.count(.refused)
    findings.resent = report.resent
    for partition in 0..<log.partitions {
      let content = try await read(partition, &findings)
      check(content.events(upTo: .max), of: partition, &findings)
      let record = try await log.committed(partition)
      try await compare(content, with: record, of: partition, &findings)
      // Revisions count anew in a store that was put back.
      if !owners.isEmpty, gone == nil { judge(content, with: record, of: partition, &findings) }
    }
    return findings
  }

  /// Compares what owners have done and said with what is there.
  private func judge(_ content: Content, with record: LogRecord, of partition: Int, _ findings: inout Findings) {
    let history = OwnerHistory(of: partition, reports: owners)
    history.checkCommits(&findings)
    history.checkDeposals(last: record.revision.number, isWhole: isWhole, &findings)
    history.checkSkipped(content.skipped, upTo: record.offset, &findings)
    if hasReactions {
      history.checkReactions(to: content.entries.map(\.offset).prefix { $0 <= record.offset }, &findings)
    }
  }

  /// What is in a partition: events, and messages that are none, which are passed over.
  private struct Content {
    var entries: [Logged<StormEvent>] = []
    /// The offsets of messages that are no events.
    var skipped: Set<Int> = []
    /// The newest offset.
    var end = 0

    /// The events up to an offset.
    func events(upTo offset: Int) -> [StormEvent] { entries.prefix { $0.offset <= offset }.map(\.entry) }
  }

  private func read(_ partition: Int, _ findings: inout Findings) async throws -> Content {
    let newest = try await log.newest(in: partition)
    var content = Content()
    if newest > 0 {
      for try await batch in log.entries(of: partition, after: 0) {
        let offsets = (batch.entries.map(\.offset) + batch.skipped.map(\.position.offset)).sorted()
        if !offsets.elementsEqual(content.end + 1...batch.offsets.upperBound) {
          findings.gaps += 1
          findings.explain("partition \(partition): the offsets \(batch.offsets) follow \(content.end), with a hole")
        }
        content.entries += batch.entries
        content.end = batch.offsets.upperBound
        content.skipped.formUnion(batch.skipped.map(\.position.offset))
        if content.end >= newest { break }
      }
    }
    if content.end < newest {
      findings.gaps += 1
      findings.explain("partition \(partition): it ends at \(content.end), and the newest entry is \(newest)")
    }
    findings.events += content.entries.count
    findings.skipped += content.skipped.count
    return content
  }

  /// Compares the entries with what publishers know.
  private func check(_ events: [StormEvent], of partition: Int, _ findings: inout Findings) {
    var seen: [Int: [Int: Int]] = [:]
    var greatest: [Int: Int] = [:]
    let publishers = report.publishers(of: partition)
    let calls = Dictionary(uniqueKeysWithValues: publishers.map { ($0, self.calls(of: $0, in: partition)) })
    for event in events {
      seen[event.publisher, default: [:]][event.number, default: 0] += 1
      let copies = seen[event.publisher]?[event.number] ?? 1
      if copies > calls[event.publisher]?[event.number]?.tries ?? 1 {
        findings.doubled += 1
        findings.explain("partition \(partition): \(event) is there again")
      } else if copies > 1 {
        findings.resentTwice += 1
        continue
      } else if event.number < greatest[event.publisher, default: 0] {
        findings.disordered += 1
        findings.explain("partition \(partition): \(event) stands behind a later one")
      }
      greatest[event.publisher] = max(event.number, greatest[event.publisher, default: 0])
    }
    for publisher in Set(seen.keys).union(publishers) {
      check(Set(seen[publisher, default: [:]].keys), of: publisher, calls[publisher] ?? [:], in: partition, &findings)
    }
  }

  private func calls(of publisher: Int, in partition: Int) -> [Int: AppendReport.Call] {
    report.calls(of: AppendReport.Series(publisher: publisher, partition: partition))
  }

  private func check(
    _ seen: Set<Int>,
    of publisher: Int,
    _ calls: [Int: AppendReport.Call],
    in partition: Int,
    _ findings: inout Findings
  ) {
    for number in seen {
      switch calls[number]?.fate {
      case .acknowledged: break
      case .unknown: findings.unknownFound += 1
      // An earlier try, of which there was no answer, may have appended it.
      case .refused where calls[number]?.tries ?? 1 > 1: break
      case .refused:
        findings.refusedFound += 1
        findings.explain("partition \(partition): \(number) of publisher \(publisher) was refused, and is there")
      case nil:
        findings.foreign += 1
        findings.explain("partition \(partition): publisher \(publisher) did not append \(number)")
      }
    }
    for (number, call) in calls where call.fate == .acknowledged && !seen.contains(number) {
      if let gone, gone.overlaps(call.times) {
        findings.takenAway += 1
        continue
      }
      findings.lost += 1
      findings.explain("partition \(partition): \(number) of publisher \(publisher) is not there, and was acknowledged")
    }
  }

  /// Compares the record with a fold of its own.
  private func compare(
    _ content: Content,
    with record: LogRecord,
    of partition: Int,
    _ findings: inout Findings
  ) async throws {
    if record.offset != content.end {
      findings.unfinished += 1
      findings.explain("partition \(partition): the record is at \(record.offset) of \(content.end)")
    }
    let events = content.events(upTo: record.offset)
    var folded: [Int: StormRow] = [:]
    for event in events {
      let row = folded[event.key] ?? StormRow()
      folded[event.key] = row.next(event)
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
    let newest = try await recorded.append(events, to: partition)
    try await recorded.commit(record.rows, at: newest, to: partition, replacing: .none)
    return try await StormRow.folded(from: recorded)
  }

  private func text(_ row: StormRow?) -> String {
    row.map { "\($0.count) events with the hash \(String($0.hash, radix: 16))" } ?? "no row"
  }
}
