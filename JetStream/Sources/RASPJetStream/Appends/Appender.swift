import RASPJournal
import Synchronization

/// Appends to one partition. What several callers append while an answer is awaited goes out together after it, so many
/// callers at a time are as fast as large arrays.
///
/// Safe to share: the line is behind the lock, and one task at a time sends.
final class Appender: Sendable {
  private struct Job: Sendable {
    var entries: [EncodedEntry]
    var settle: CheckedContinuation<Result<Int, LogError>, Never>
  }

  private struct Line: Sendable {
    var jobs: [Job] = []
    var isSending = false
  }

  private let line = Mutex(Line())
  private let store: EntryStore

  init(_ store: EntryStore) {
    self.store = store
  }

  /// Returns the offset of the last entry when all are stored. Cancelling the task changes nothing.
  func append(_ entries: [EncodedEntry]) async throws(LogError) -> Int {
    let result = await withCheckedContinuation { continuation in
      let begins = line.withLock { line in
        line.jobs.append(Job(entries: entries, settle: continuation))
        defer { line.isSending = true }
        return !line.isSending
      }
      if begins { Task { await self.send() } }
    }
    return try result.get()
  }

  private func send() async {
    while let jobs = takeJobs() {
      var entries: [EncodedEntry] = []
      for job in jobs { entries += job.entries }
      let stored = await store.store(entries)
      var end = 0
      for job in jobs {
        end += job.entries.count
        job.settle.resume(returning: stored.offset(ofLast: job.entries.count, before: end))
      }
    }
  }

  /// The jobs that go out together; `nil` if there are none.
  private func takeJobs() -> [Job]? {
    line.withLock { line in
      var (count, size, jobs) = (0, 0, 0)
      for job in line.jobs {
        count += job.entries.count
        size += job.entries.reduce(0) { $0 + $1.size }
        // A large job goes by itself, in pieces.
        if jobs > 0, count > EntryStore.mostMessages || size > EntryStore.mostBytes { break }
        jobs += 1
      }
      guard jobs > 0 else {
        line.isSending = false
        return nil
      }
      let taken = Array(line.jobs.prefix(jobs))
      line.jobs.removeFirst(jobs)
      return taken
    }
  }
}
