import RASPHistory
import RASPJournal
import RASPSupport
import Streams

/// A thread of a log in files. What several callers append while it writes, it writes and syncs at once.
///
/// Safe to share: only the thread uses the partitions, and the queue is behind its lock.
final class FileLogThread: @unchecked Sendable {
  /// What a caller wants, and the way to tell what has become of it.
  enum Job: Sendable {
    case append([EntryBytes], to: Int, Settle<Int>)
    case commit([UInt8], at: Int, identified: EntryIdentity, to: Int, replacing: LogRevision, Settle<LogRevision>)
    case record(of: Int, Settle<LogRecord>)
    case close(Settle<Void>)

    func fail(_ error: LogError) {
      switch self {
      case .append(_, _, let settle): settle(.failure(error))
      case .commit(_, _, _, _, _, let settle): settle(.failure(error))
      case .record(_, let settle): settle(.failure(error))
      // To close it again does nothing.
      case .close(let settle): settle(.success(()))
      }
    }
  }

  typealias Settle<Value: Sendable> = @Sendable (Result<Value, LogError>) -> Void

  private struct Queue: Sendable {
    /// Without a bound: each caller waits for its job, so there are no more of them than callers.
    var jobs: [Job] = []
    var isClosed = false
  }

  private let log: String
  private let partitions: [FileLogPartition]
  /// How far their numbers are apart.
  private let stride: Int
  private let queue = Lock(Queue())
  private let work = Parker()

  private let noteEnd: @Sendable () -> Void

  /// - Parameters:
  ///   - partitions: in the order of their numbers.
  ///   - stride: how far their numbers are apart.
  ///   - noteEnd: is called when they are closed.
  init(
    _ partitions: [FileLogPartition],
    stride: Int,
    of log: String,
    noteEnd: @escaping @Sendable () -> Void
  ) {
    self.partitions = partitions
    self.stride = stride
    self.log = log
    self.noteEnd = noteEnd
  }

  /// Starts the thread.
  func start() throws(LogError) {
    if StartedThread.detach({ self.run() }) { return }
    noteEnd()
    throw .unavailable(log: log, reason: "the system has no thread")
  }

  private func partition(_ number: Int) -> FileLogPartition { partitions[number / stride] }

  /// How many jobs wait in the queue.
  var waitingCount: Int { queue.withLock { $0.jobs.count } }

  /// Puts a job into the queue.
  func take(_ job: Job) {
    let isTaken = queue.withLock { queue in
      if !queue.isClosed { queue.jobs.append(job) }
      return !queue.isClosed
    }
    if isTaken { work.wake() } else { job.fail(.closed(log: log)) }
  }

  /// Has a job done, and waits for it.
  func perform<Value: Sendable>(_ job: (@escaping Settle<Value>) -> Job) async throws(LogError) -> Value {
    let result: Result<Value, LogError> = await withCheckedContinuation { continuation in
      take(job { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  private func run() {
    while true {
      let jobs = queue.withLock { queue in
        defer { queue.jobs = [] }
        return queue.jobs
      }
      if jobs.isEmpty {
        work.wait(atMost: partitions.compactMap(\.timeToSync).min())
      } else if perform(jobs) {
        return
      }
      for partition in partitions { partition.syncIfDue() }
    }
  }

  /// - Returns: whether the log was closed.
  private func perform(_ jobs: [Job]) -> Bool {
    var appended: [Int: [(offset: Int, settle: Settle<Int>)]] = [:]
    for case .append(let entries, let partition, let settle) in jobs {
      let hadFailed = self.partition(partition).hasFailed
      do throws(LogError) {
        appended[partition, default: []].append((try self.partition(partition).append(entries), settle))
      } catch {
        settle(.failure(hadFailed ? error : .unacknowledged(log: log, partition: partition)))
      }
    }
    for (partition, callers) in appended {
      let result = Result { () throws(LogError) in try self.partition(partition).write() }
      // What a write or a sync has brought to the medium that has failed is not known. Those who come later get the
      // reason.
      let outcome = result.mapError { _ in LogError.unacknowledged(log: log, partition: partition) }
      for caller in callers { caller.settle(outcome.map { caller.offset }) }
    }
    var closers: [Settle<Void>] = []
    for job in jobs {
      switch job {
      case .append: break
      case .commit(let rows, let offset, let identity, let partition, let revision, let settle):
        settle(
          Result { () throws(LogError) in
            try self.partition(partition).commit(rows, at: offset, identified: identity, replacing: revision)
          }
        )
      case .record(let partition, let settle):
        settle(Result { () throws(LogError) in try self.partition(partition).record() })
      case .close(let settle): closers.append(settle)
      }
    }
    if closers.isEmpty { return false }
    close(closers)
    return true
  }

  private func close(_ closers: [Settle<Void>]) {
    assert(!queue.withLock { $0.isClosed }, "a log that was closed already")
    var result = Result<Void, LogError>.success(())
    for partition in partitions {
      do throws(LogError) { try partition.close() } catch { result = .failure(error) }
    }
    noteEnd()
    // Until here, who closes it again waits in the queue.
    let late = queue.withLock { queue in
      queue.isClosed = true
      defer { queue.jobs = [] }
      return queue.jobs
    }
    for settle in closers { settle(result) }
    for job in late { job.fail(.closed(log: log)) }
  }
}
