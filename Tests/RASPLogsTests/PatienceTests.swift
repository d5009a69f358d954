import RASPJournal
import RASPLogs
import Streams
import TestSupport
import Testing

@Suite("Waiting for the owner of a folder", .endsInTime)
struct PatienceTests {
  @Test("LOAD-71: a log opens when the owner of its folder has closed it, and is refused when its patience is over")
  func log() async throws {
    try await inNewFolder { folder in
      let first = try FileLog<Deposit>(at: folder)
      #expect(throws: LogError.self) { try FileLog<Deposit>(at: folder) }
      #expect(throws: LogError.self) { try FileLog<Deposit>(at: folder, waiting: .milliseconds(30)) }
      let closing = Task {
        for _ in 0..<100 { await Task.yield() }
        try await first.close()
      }
      let second = Lock<FileLog<Deposit>?>(nil)
      await onThread {
        let opened = try? FileLog<Deposit>(at: folder, waiting: longestWait)
        second.withLock { $0 = opened }
      }
      try await closing.value
      try await #require(second.withLock { $0 }).close()
    }
  }

  @Test("LOAD-71: so does a journal")
  func journal() async throws {
    try await inNewFolder { folder in
      let first = try Journal(at: folder, startingWith: Savings())
      #expect(throws: JournalError.self) {
        try Journal(at: folder, startingWith: Savings(), waiting: .milliseconds(30))
      }
      let closing = Task { try await first.close() }
      let second = Lock<Journal<Savings>?>(nil)
      await onThread {
        let opened = try? Journal(at: folder, startingWith: Savings(), waiting: longestWait)
        second.withLock { $0 = opened }
      }
      try await closing.value
      try await #require(second.withLock { $0 }).close()
    }
  }
}
