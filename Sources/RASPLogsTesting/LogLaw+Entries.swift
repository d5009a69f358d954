import RASPLogs
import Streams

extension LogLaw {
  func checkOffsets(_ log: some EventLog<String>) async throws {
    try require(log.partitions == Self.partitions, "there are \(log.partitions) partitions")
    try require(try await log.newest(in: 0) == 0, "a new partition has an entry")
    try require(try await log.append([], to: 0) == 0, "no entries have an offset")
    try require(try await log.append(["a", "b"], to: 0) == 2, "the second entry has another offset than 2")
    try require(try await log.append(["c"], to: 0) == 3, "the third entry has another offset than 3")
    try require(
      try await log.append(["x"], to: 1) == 1,
      "the first entry of another partition has another offset than 1"
    )
    try require(try await log.newest(in: 0) == 3, "the newest entry is not the third one")
    try require(try await log.append([], to: 0) == 3, "without entries, the offset is not that of the newest one")
    let entries = try await read(3, from: log)
    try require(entries.map(\.entry) == ["a", "b", "c"], "the entries are \(entries.map(\.entry))")
    let others = try await read(1, of: 1, from: log)
    try require(others.map(\.entry) == ["x"], "the entries of the other partition are \(others.map(\.entry))")
    let behind = try await read(1, after: 2, from: log)
    try require(behind.map(\.entry) == ["c"], "behind entry 2 there are \(behind.map(\.entry))")
    let again = try await read(3, from: log)
    try require(again == entries, "entries differ when they are read again: \(entries), \(again)")
  }

  func checkBatches(_ log: some EventLog<String>) async throws {
    let small = (1...3_000).map { "entry \($0)" }
    let large = [String(repeating: "large", count: 20_000), "", "é\u{0}\n"]
    try await log.append(small, to: 0)
    try await log.append(large, to: 0)
    let entries = try await read(3_003, from: log)
    try require(entries.map(\.entry) == small + large, "the entries are not those that were appended")
  }

  func checkConcurrentAppends(_ log: some EventLog<String>) async throws {
    let (callers, calls) = (16, 20)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<callers {
        group.addTask {
          for call in 0..<calls {
            let entries = (0...call % 3).map { "\(caller) \(call) \($0)" }
            let offset = try await log.append(entries, to: 0)
            let last = try await read(1, after: offset - 1, from: log)[0].entry
            try require(last == entries.last, "at the offset of the last entry there is \(last)")
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try await log.newest(in: 0)
    let entries = try await read(count, from: log).map(\.entry)
    for caller in 0..<callers {
      let expected = (0..<calls).flatMap { call in (0...call % 3).map { "\(caller) \(call) \($0)" } }
      let found = entries.filter { $0.hasPrefix("\(caller) ") }
      try require(found == expected, "the entries of one caller are \(found)")
    }
  }

  func checkWaitingReader(_ log: some EventLog<String>, _ patience: Duration) async throws {
    try await log.append(["before"], to: 0)
    let expected = (1...20).map { "later \($0)" }
    let progress = ReaderProgress()
    let reader = Task {
      defer { progress.hasEnded.withLock { $0 = true } }
      var batches = log.entries(of: 0, after: 1).makeAsyncIterator()
      for (number, entry) in expected.enumerated() {
        let found = try await read(1, after: number + 1, from: &batches).map(\.entry)
        try require(found == [entry], "instead of \(entry), the reader has got \(found)")
        progress.count.withLock { $0 = number + 1 }
      }
    }
    for (number, entry) in expected.enumerated() {
      // The reader has all that is there, and goes on to what is not.
      try await wait(patience, "a reader has entry \(number)") {
        progress.count.withLock { $0 } == number || progress.hasEnded.withLock { $0 }
      }
      for _ in 0..<10 { await Task.yield() }
      try await log.append([entry], to: 0)
    }
    try await reader.value
  }

  func checkSlowReader(_ log: some EventLog<String>) async throws {
    try await log.append(["first"], to: 0)
    var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
    _ = try await read(1, after: 0, from: &batches)
    let expected = (0..<20).map { "\($0) " + String(repeating: "x", count: 30_000) }
    for entry in expected { try await log.append([entry], to: 0) }
    let found = try await read(20, after: 1, from: &batches).map(\.entry)
    try require(found == expected, "the reader has not got what came while it stopped")
  }

  func checkCancelledReader(_ log: some EventLog<String>) async throws {
    let cancelled = Task { try await log.entries(of: 0, after: 0).reduce(0) { $0 + $1.entries.count } }
    async let other = read(1, from: log)
    cancelled.cancel()
    let count = try await cancelled.value
    try require(count == 0, "a cancelled reader has got \(count) entries")
    try await log.append(["later"], to: 0)
    let found = try await other.map(\.entry)
    try require(found == ["later"], "the other reader has got \(found)")
  }

  func checkCancelledAppend(_ log: some EventLog<String>) async throws {
    // Each second task is cancelled before it appends, and the others at any moment.
    let appends = (0..<20).map { number in
      Task {
        if number % 2 == 0 { withUnsafeCurrentTask { $0?.cancel() } }
        return try await log.append(["\(number)"], to: 0)
      }
    }
    for append in appends { append.cancel() }
    var acknowledged: [(offset: Int, entry: String)] = []
    for (number, append) in appends.enumerated() {
      if let offset = try? await append.value { acknowledged.append((offset, "\(number)")) }
    }
    let last = try await log.append(["last"], to: 0)
    acknowledged.append((last, "last"))
    let entries = try await read(last, from: log).map(\.entry)
    for (offset, entry) in acknowledged {
      let isThere = entries.indices.contains(offset - 1) && entries[offset - 1] == entry
      try require(isThere, "entry \(offset) was acknowledged, and is not there")
    }
    try require(Set(entries).count == entries.count, "entries are there twice: \(entries)")
  }

  func checkWentBack(_ log: some EventLog<String>) async throws {
    try await log.append(["a", "b"], to: 0)
    for offset in [3, 1_000] {
      try await requireError("to read behind entry \(offset) of 2") {
        if case .wentBack(_, 0, 2, offset) = $0 { true } else { false }
      } _: { () async throws(LogError) in
        var batches = log.entries(of: 0, after: offset).makeAsyncIterator()
        return try await batches.next()
      }
    }
  }
}

/// How far a reader has come.
///
/// Safe to share: both are behind locks.
private final class ReaderProgress: Sendable {
  let count = Lock(0)
  let hasEnded = Lock(false)
}
