import RASPLogs

extension LogLaw {
  func checkCompareAndSet(_ log: some EventLog<String>) async throws {
    let none = try await log.committed(0)
    try require(none == .none, "a new partition has the record \(none)")
    let owned = try await log.commit([], at: 0, to: 0, replacing: .none)
    try await log.append(["a", "b"], to: 0)
    let first = try await log.commit([1, 2, 3], at: 1, to: 0, replacing: owned)
    let record = LogRecord(rows: [1, 2, 3], offset: 1, revision: first)
    try require(try await log.committed(0) == record, "the record is not what was committed")
    for revision in [LogRevision.none, owned] {
      try await requireDeposed("to replace an older revision") { () async throws(LogError) in
        try await log.commit([9], at: 2, to: 0, replacing: revision)
      }
    }
    try require(try await log.committed(0) == record, "a commit that was refused has changed the record")
    let large = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
    let second = try await log.commit(large, at: 2, to: 0, replacing: first)
    try require(Set([.none, owned, first, second]).count == 4, "a revision was used twice")
    let replaced = try await log.committed(0)
    try require(
      replaced == LogRecord(rows: large, offset: 2, revision: second),
      "a large record is not what was committed"
    )
    try require(try await log.committed(1) == .none, "the record of another partition has changed")
  }

  func checkCommitRange(_ log: some EventLog<String>) async throws {
    try await log.append(["a", "b", "c"], to: 0)
    let first = try await log.commit([1], at: 2, to: 0, replacing: .none)
    for offset in [-1, 1, 4] {
      let isRight: (LogError) -> Bool = { if case .invalidOffset(_, 0, offset, 2...3) = $0 { true } else { false } }
      try await requireError("a commit at offset \(offset)", where: isRight) { () async throws(LogError) in
        try await log.commit([9], at: offset, to: 0, replacing: first)
      }
    }
    let record = try await log.committed(0)
    try require(
      record == LogRecord(rows: [1], offset: 2, revision: first),
      "a commit that was refused has changed the record"
    )
    let second = try await log.commit([2], at: 2, to: 0, replacing: first)
    try await log.commit([3], at: 3, to: 0, replacing: second)
  }

  func checkConcurrentCommits(_ log: some EventLog<String>) async throws {
    var revision = LogRevision.none
    for round in 1...5 {
      let present = revision
      let winners = try await withThrowingTaskGroup(of: (UInt8, LogRevision)?.self) { group in
        for member in UInt8(0)..<10 {
          group.addTask {
            do throws(LogError) {
              return (member, try await log.commit([member], at: 0, to: 0, replacing: present))
            } catch {
              guard case .deposed = error else { throw error }
              return nil
            }
          }
        }
        return try await group.reduce(into: [(UInt8, LogRevision)]()) { winners, winner in
          if let winner { winners.append(winner) }
        }
      }
      try require(winners.count == 1, "in round \(round), \(winners.count) commits have replaced one revision")
      revision = winners[0].1
      let record = try await log.committed(0)
      try require(
        record == LogRecord(rows: [winners[0].0], offset: 0, revision: revision),
        "the record is not that of the commit that has succeeded"
      )
    }
  }

  func checkFencing(_ log: some EventLog<String>) async throws {
    try await log.append(["a", "b", "c"], to: 0)
    let first = try await takeOver(log)
    let own = try await log.commit([1], at: 1, to: 0, replacing: first)
    let second = try await takeOver(log)
    for offset in 1...3 {
      try await requireDeposed("a commit of the owner before") { () async throws(LogError) in
        try await log.commit([UInt8(offset)], at: offset, to: 0, replacing: own)
      }
    }
    let record = try await log.committed(0)
    try require(record == LogRecord(rows: [1], offset: 1, revision: second), "taking over has changed the rows")
    let last = try await log.commit([2], at: 2, to: 0, replacing: second)
    let end = try await log.committed(0)
    try require(end == LogRecord(rows: [2], offset: 2, revision: last), "the new owner cannot commit")
  }

  func checkRestart<Log: EventLog<String>>(_ open: @Sendable () async throws -> Log) async throws {
    var log = try await open()
    var revision = LogRevision.none
    var expected: [String] = []
    var times: [Duration] = []
    for round in 1...4 {
      for number in 1...round {
        expected.append("\(round) \(number)")
        let offset = try await log.append(["\(round) \(number)"], to: 0)
        try require(offset == expected.count, "after a restart, entry \(expected.count) has the offset \(offset)")
      }
      let offset = expected.count - 1
      revision = try await log.commit([UInt8(round)], at: offset, to: 0, replacing: revision)
      try await log.close()
      log = try await open()
      let record = try await log.committed(0)
      try require(
        record == LogRecord(rows: [UInt8(round)], offset: offset, revision: revision),
        "after a restart, the record is \(record)"
      )
      let newest = try await log.newest(in: 0)
      try require(newest == expected.count, "after a restart, the newest entry is \(newest) and not \(expected.count)")
      let entries = try await read(expected.count, from: log)
      try require(entries.map(\.entry) == expected, "after a restart, the entries are \(entries.map(\.entry))")
      try require(Array(entries.map(\.time).prefix(times.count)) == times, "after a restart, entries have another time")
      times = entries.map(\.time)
    }
    try await log.close()
  }

  /// Writes the record back, as a new owner does.
  private func takeOver(_ log: some EventLog<String>) async throws -> LogRevision {
    let record = try await log.committed(0)
    return try await log.commit(record.rows, at: record.offset, to: 0, replacing: record.revision)
  }

  private func requireDeposed<Result>(
    _ description: String,
    _ body: () async throws(LogError) -> Result
  ) async throws {
    try await requireError(description, where: { if case .deposed(_, 0) = $0 { true } else { false } }, body)
  }
}
