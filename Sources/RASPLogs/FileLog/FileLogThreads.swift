import RASPJournal
import Streams

/// The threads of a log in files: one for each partition, so that what is written and synced for one of them, such as
/// its record, does not hold the others. A log of very many partitions has fewer, and each of them several partitions.
///
/// They end when the log has been released.
final class FileLogThreads: Sendable {
  /// How many there are at most.
  private static var most: Int { 64 }

  private let threads: [FileLogThread]

  /// - Parameter unlock: lets other processes into the folder. It is called when all partitions are closed.
  init(_ partitions: [FileLogPartition], of log: String, unlock: @escaping @Sendable () -> Void) {
    let count = min(partitions.count, Self.most)
    let left = Lock(count)
    threads = (0..<count).map { first in
      let own = stride(from: first, to: partitions.count, by: count).map { partitions[$0] }
      return FileLogThread(own, stride: count, of: log) {
        let isLast = left.withLock { left in
          left -= 1
          return left == 0
        }
        if isLast { unlock() }
      }
    }
  }

  deinit {
    for thread in threads { thread.take(.close { _ in }) }
  }

  /// Starts all of them, or none.
  func start() throws(LogError) {
    var failure: LogError?
    for thread in threads {
      do throws(LogError) { try thread.start() } catch { failure = error }
    }
    // Those that have started end with this object.
    if let failure { throw failure }
  }

  /// The thread of a partition.
  subscript(partition: Int) -> FileLogThread { threads[partition % threads.count] }

  /// Closes all partitions, one after the other.
  func close() async throws(LogError) {
    var failure: LogError?
    for thread in threads {
      do throws(LogError) { try await thread.perform { .close($0) } } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
