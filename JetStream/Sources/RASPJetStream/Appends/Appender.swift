import NIOConcurrencyHelpers
import RASPLogs

/// Appends to one partition. What several callers append while an answer is awaited goes out together after it, so many
/// callers at a time are as fast as large arrays.
///
/// Safe to share: the queue is behind the lock, and one task at a time sends.
final class Appender: Sendable {
  private struct Job: Sendable {
    let number: Int
    var entries: [EncodedEntry]
    var continuation: CheckedContinuation<Result<Int, LogError>, Never>
  }

  private struct Queue: Sendable {
    /// Each is a caller that is suspended: there are as many as there are callers.
    var jobs: [Job] = []
    /// Those that are being sent. A caller whose task was cancelled is not among them any more.
    var sent: [Int: CheckedContinuation<Result<Int, LogError>, Never>] = [:]
    var nextNumber = 0
    var isSending = false
  }

  private let queue = NIOLockedValueBox(Queue())
  private let store: EntryStore

  init(_ store: EntryStore) {
    self.store = store
  }

  /// Returns the offset of the last entry when all are stored.
  ///
  /// When the task is cancelled it ends: entries that were not sent yet are not sent, and of others nothing is known.
  func append(_ entries: [EncodedEntry]) async throws(LogError) -> Int {
    let number = queue.withLockedValue { queue in
      queue.nextNumber += 1
      return queue.nextNumber
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let begins = queue.withLockedValue { queue -> Bool? in
          // A cancellation that came first has found no job. One that comes later waits for the lock, and finds it.
          if Task.isCancelled { return nil }
          queue.jobs.append(Job(number: number, entries: entries, continuation: continuation))
          defer { queue.isSending = true }
          return !queue.isSending
        }
        if begins == nil { continuation.resume(returning: .failure(store.cancelled)) }
        if begins == true { Task { await self.send() } }
      }
    } onCancel: {
      let (continuation, wasSent) = queue.withLockedValue { queue in
        if let index = queue.jobs.firstIndex(where: { $0.number == number }) {
          return (queue.jobs.remove(at: index).continuation as CheckedContinuation?, false)
        }
        return (queue.sent.removeValue(forKey: number), true)
      }
      continuation?.resume(returning: .failure(wasSent ? store.unacknowledged : store.cancelled))
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
        let continuation = queue.withLockedValue { $0.sent.removeValue(forKey: job.number) }
        continuation?.resume(returning: stored.offset(ofLast: job.entries.count, before: end))
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
      for job in taken { queue.sent[job.number] = job.continuation }
      return taken
    }
  }
}
