import RASPLogs

/// Reads a log for ``FaultyLog``: some batches twice, and some not at all.
actor FaultyReader<Entry: Sendable> {
  private var batches: LogEntries<Entry>.AsyncIterator
  private var last: LogBatch<Entry>?
  private var offset: Int

  init(of entries: LogEntries<Entry>, after offset: Int) {
    batches = entries.makeAsyncIterator()
    self.offset = offset
  }

  func next(
    newestLeft: @Sendable () -> Int?,
    faults: @Sendable () async throws(LogError) -> LogReadFault,
    wentBack: @Sendable (_ newest: Int, _ wanted: Int) -> LogError
  ) async throws(LogError) -> LogBatch<Entry>? {
    if let newest = newestLeft(), newest < offset { throw wentBack(newest, offset) }
    let fault = try await faults()
    if fault == .again, let last { return last }
    var batches = batches
    var batch = try await batches.next()
    self.batches = batches
    // Something follows what is left out, because a reader cannot notice a loss at the end: the log has to see to that
    // itself.
    if fault == .gap, let whole = batch, whole.offsets.count > 1 {
      let rest = whole.offsets.upperBound...whole.offsets.upperBound
      batch = LogBatch(
        offsets: rest,
        entries: whole.entries.filter { rest.contains($0.offset) },
        identity: whole.identity
      )
    }
    if let newest = newestLeft(), newest < batch?.offsets.upperBound ?? offset { throw wentBack(newest, newest + 1) }
    last = batch
    offset = batch?.offsets.upperBound ?? offset
    return batch
  }
}
