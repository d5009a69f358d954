import RASPLogs

extension LogLaw {
  /// Throws a violation unless a condition holds.
  func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    if !condition { throw Violation(law: self, description: description()) }
  }

  /// Throws a violation unless a call throws the right error.
  func requireError<Result>(
    _ description: String,
    where isRight: (LogError) -> Bool,
    _ body: () async throws(LogError) -> Result
  ) async throws {
    do throws(LogError) {
      _ = try await body()
    } catch {
      return try require(isRight(error), "\(description) throws \(error)")
    }
    throw Violation(law: self, description: "\(description) does not throw")
  }

  /// Reads so many entries, and checks that their batches have no holes.
  func read(
    _ count: Int,
    of partition: Int = 0,
    after offset: Int = 0,
    from log: some EventLog<String>
  ) async throws -> [Logged<String>] {
    var batches = log.entries(of: partition, after: offset).makeAsyncIterator()
    return try await read(count, after: offset, from: &batches)
  }

  func read(
    _ count: Int,
    after offset: Int,
    from batches: inout LogEntries<String>.AsyncIterator
  ) async throws -> [Logged<String>] {
    var entries: [Logged<String>] = []
    while entries.count < count {
      guard let batch = try await batches.next() else {
        throw Violation(law: self, description: "the sequence ends after \(entries.count) of \(count) entries")
      }
      let next = offset + entries.count + 1
      try require(batch.offsets.lowerBound == next, "a batch of \(batch.offsets), and entry \(next) should come")
      try require(
        batch.entries.map(\.offset) == Array(batch.offsets),
        "a batch of \(batch.offsets) has the entries \(batch.entries.map(\.offset))"
      )
      entries += batch.entries
    }
    return entries
  }

  /// Waits for what other tasks bring about.
  func wait(_ patience: Duration, _ description: String, until condition: () -> Bool) async throws {
    var left = patience / .milliseconds(1)
    while !condition() {
      try require(left > 0, "it does not come true: \(description)")
      left -= 1
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
