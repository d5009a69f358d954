import NIOConcurrencyHelpers
import RASPLogs

/// Appends to one partition. What several callers append while an answer is awaited goes out together after it, so many
/// callers at a time are as fast as large arrays.
///
/// Safe to share: the queue is behind the lock, and one task at a time sends.
final class Appender: Sendable {
  private struct Job: Sendable {
    var entries: [EncodedEntry]
    var continuation: CheckedContinuation<Result<Int, LogError>, Never>
  }

  private struct Queue: Sendable {
    /// Each is a caller that is suspended: there are as many as there are callers.
    var jobs: [Job] = []
    var isSending = false
  }

  private let queue = NIOLockedValueBox(Queue())
  private let store: EntryStore

  init(_ store: EntryStore) {
    self.store = store
  }

  /// Returns the offset of the last entry when all are stored. Cancelling the task changes nothing.
  func append(_ entries: [EncodedEntry]) async throws(LogError) -> Int {
    let result = await withCheckedContinuation { continuation in
      let begins = queue.withLockedValue { queue in
        queue.jobs.append(Job(entries: entries, continuation: continuation))
        defer { queue.isSending = true }
        return !queue.isSending
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
      assert(stored.count == entries.count, "Each entry has a result.")
      var end = 0
      for job in jobs {
        end += job.entries.count
        job.continuation.resume(returning: stored.offset(ofLast: job.entries.count, before: end))
      }
    }
  }

  /// The jobs that go out together; `nil` if there are none.
  private func takeJobs() -> [Job]? {
    queue.withLockedValue { queue in
      var (count, size, jobs) = (0, 0, 0)
      for job in queue.jobs {
        count += job.entries.count
        size += job.entries.reduce(0) { $0 + $1.size }
        // A large job goes by itself, in pieces.
        if jobs > 0, count > EntryStore.greatestBatch.messages || size > EntryStore.greatestBatch.bytes { break }
        jobs += 1
      }
      guard jobs > 0 else {
        queue.isSending = false
        return nil
      }
      assert(queue.isSending, "The task that takes jobs is the one that sends.")
      let taken = Array(queue.jobs.prefix(jobs))
      queue.jobs.removeFirst(jobs)
      return taken
    }
  }
}
