import RASPLogs

extension LogLaw {
  func checkWentBackAndGrew<Log: EventLog<String>>(
    _ storage: LogStorage?,
    _ open: @Sendable () async throws -> Log
  ) async throws {
    let putNothingBack = try await storage?.copy()
    var log = try await open()
    try await log.append(["a", "b", "c"], to: 0)
    try await checkIdentities(log)
    let third = try await log.identity(of: 3, in: 0)
    try await log.append(["d"], to: 0)
    // An identity that no entry has: it differs from the right one in all bits.
    try await requireWentBack(log, newest: 4, wanted: 3, EntryIdentity(~third.high, ~third.low))
    try await requireEntries(["d"], after: 3, third, from: log)
    let fourth = try await log.identity(of: 4, in: 0)
    try await log.close()
    let putBack = try await storage?.copy()
    log = try await open()
    try require(try await log.identity(of: 3, in: 0) == third, "after a restart, an entry has another identity")
    if let putBack, let putNothingBack {
      try await log.append(["e", "f"], to: 0)
      let sixth = try await log.identity(of: 6, in: 0)
      try await log.close()
      try await putBack()
      log = try await open()
      try await log.append(["x", "y", "z"], to: 0)
      try await requireWentBack(log, newest: 7, wanted: 6, sixth)
      try await requireEntries(["x", "y", "z"], after: 4, fourth, from: log)
      try await log.close()
      try await putNothingBack()
      log = try await open()
      try await log.append(["1", "2", "3", "4", "5"], to: 0)
      try await requireWentBack(log, newest: 5, wanted: 4, fourth)
    }
    try await log.close()
  }

  func checkCutAtOffset<Log: EventLog<String>>(
    _ storage: LogStorage?,
    _ open: @Sendable () async throws -> Log
  ) async throws {
    var log = try await open()
    try await log.append(["a", "b", "c"], to: 0)
    let identity = try await log.identity(of: 3, in: 0)
    let revision = try await log.commit([1], at: 3, identified: identity, to: 0, replacing: .none)
    try await log.close()
    try await storage?.cut(0, 3)
    log = try await open()
    let record = try await log.committed(0)
    try require(
      record == LogRecord(rows: [1], offset: 3, identity: identity, revision: revision),
      "the record is \(record), and not what was committed"
    )
    try require(try await log.newest(in: 0) == 3, "the newest entry is not the one that was cut off")
    let kept = try await log.identity(of: 3, in: 0)
    try require(kept.fits(identity), "the entry at the cut has another identity")
    try await log.append(["d"], to: 0)
    try await requireEntries(["d"], after: 3, identity, from: log)
    if kept != .unknown {
      try await requireWentBack(log, newest: 4, wanted: 3, EntryIdentity(~identity.high, ~identity.low))
    }
    let fourth = try await log.identity(of: 4, in: 0)
    try await log.commit([2], at: 4, identified: fourth, to: 0, replacing: revision)
    try await log.close()
  }

  /// Each batch has the identity of its last entry.
  private func checkIdentities(_ log: some EventLog<String>) async throws {
    try require(try await log.identity(of: 0, in: 0) == .unknown, "there is an identity of no entry")
    try require(try await log.identity(of: 4, in: 0) == .unknown, "there is an identity of an entry to come")
    var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
    var last = 0
    while last < 3, let batch = try await batches.next() {
      last = batch.offsets.upperBound
      let identity = try await log.identity(of: last, in: 0)
      try require(identity != .unknown, "entry \(last) has no identity")
      try require(batch.identity == identity, "a batch that ends with entry \(last) has another identity than it")
    }
  }

  private func requireEntries(
    _ expected: [String],
    after offset: Int,
    _ identity: EntryIdentity,
    from log: some EventLog<String>
  ) async throws {
    var batches = log.entries(of: 0, after: offset, identified: identity).makeAsyncIterator()
    let found = try await read(expected.count, after: offset, from: &batches).map(\.entry)
    try require(found == expected, "behind entry \(offset) there are \(found)")
  }

  private func requireWentBack(
    _ log: some EventLog<String>,
    newest: Int,
    wanted: Int,
    _ identity: EntryIdentity
  ) async throws {
    try await requireError("to read behind entry \(wanted), which is another one now") {
      if case .wentBack(_, 0, newest, wanted) = $0 { true } else { false }
    } _: { () async throws(LogError) in
      var batches = log.entries(of: 0, after: wanted, identified: identity).makeAsyncIterator()
      return try await batches.next()
    }
  }
}
