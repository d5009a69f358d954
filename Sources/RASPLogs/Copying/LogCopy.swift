import RASPJournal
import RASPPrimitives
public import Streams

/// Copies a log into another one, which may have another number of partitions, while entries are appended to it: the
/// way to change their number.
///
/// ```swift
/// let copy = LogCopy(of: readings, into: readings2, by: \Reading.sensor)
/// let copying = Task { try await copy.run() }     // both logs may be folded meanwhile
/// …                                               // when all who append have been told to stop:
/// let ends = try await copy.finish()              // from here on, append to the new log
/// ```
///
/// The entries of a row keep their order, and each is copied once, also when the copy was interrupted and is begun
/// again: it counts what is there. An entry that is not in the partition of its key is not copied. So nothing else may
/// append to the new log before ``finish()`` has returned, and nothing may be deleted in either. Records are not
/// copied: owners of the new log fold it from its first entry, and react to all of its entries, so let them react only
/// after the end.
///
/// - Concurrency: every member may be called from any task.
/// - Complexity: O(entries). What is counted at the beginning is one number for each pair of partitions.
public final class LogCopy<Entry: Sendable, Key: PartitionKey>: Sendable {
  private let source: any EventLog<Entry>
  private let target: any EventLog<Entry>
  private let keyOf: @Sendable (Entry) -> Key
  private let retry: Duration
  private let scheduler: any Scheduler
  /// How far the partitions of the source are copied.
  private let progress: [JournalProgress]
  private let isDone = Latch()

  /// Puts two logs together. Nothing is copied yet.
  ///
  /// - Parameters:
  ///   - source: the log that has the entries.
  ///   - target: the new log.
  ///   - key: tells the row to which an entry belongs, as for the rows of both logs.
  ///   - retry: the time after which a log that did not answer is asked again.
  ///   - scheduler: tells the time for it.
  public init(
    of source: any EventLog<Entry>,
    into target: any EventLog<Entry>,
    by key: @escaping @Sendable (Entry) -> Key,
    retryingAfter retry: Duration = .seconds(1),
    scheduler: any Scheduler = .continuous
  ) {
    self.source = source
    self.target = target
    keyOf = key
    self.retry = retry
    self.scheduler = scheduler
    progress = (0..<source.partitions).map { _ in JournalProgress(at: 0) }
  }

  /// The newest entry of each partition of the source that is copied; 0 where there is none.
  public var copied: [Int] { progress.map(\.written) }

  /// Copies the entries that are there and those that come, until ``finish()`` has returned or the task is cancelled.
  /// It is called once.
  ///
  /// - Errors: why an entry cannot be read or appended. ``LogError/missing(log:partition:offset:)`` tells that the
  ///   source does not have all of its entries any more.
  public func run() async throws(LogError) {
    var failure: LogError?
    do throws(LogError) {
      let counts = try await counted()
      failure = await withTaskGroup(of: LogError?.self) { group in
        for partition in progress.indices {
          group.addTask {
            do throws(LogError) {
              try await self.copy(partition, behind: counts[partition])
              return nil
            } catch {
              return error
            }
          }
        }
        group.addTask {
          await withTaskCancellationHandler {
            await self.isDone.wait()
          } onCancel: {
            self.isDone.open()
          }
          return nil
        }
        // The first task that ends is an error or the end.
        let first = await group.next() ?? nil
        group.cancelAll()
        return first
      }
    } catch {
      failure = error
    }
    for partition in progress { partition.end(nil) }
    if let failure { throw failure }
  }

  /// Returns when all entries are copied that the source has now, and ends the copy. Who appends has stopped before, so
  /// that there are no others.
  ///
  /// - Returns: the newest position in each partition of the new log, behind which it goes on.
  /// - Errors: what a log throws; ``LogError/cancelled(log:)`` if the copy has ended before all entries were copied, or
  ///   if the task was cancelled.
  public func finish() async throws(LogError) -> [LogPosition] {
    for (partition, progress) in progress.enumerated() {
      let newest = try await source.newest(in: partition)
      await progress.wait(for: .written(newest))
      if progress.written < newest { throw .cancelled(log: source.name) }
    }
    isDone.open()
    var ends: [LogPosition] = []
    for partition in 0..<target.partitions {
      let newest = try await target.newest(in: partition)
      ends.append(LogPosition(log: target.name, partition: partition, offset: newest))
    }
    return ends
  }

  // MARK: What is there

  /// How many entries of each partition of the source are in each one of the target.
  private func counted() async throws(LogError) -> [[Int]] {
    var counts = Array(repeating: Array(repeating: 0, count: target.partitions), count: source.partitions)
    for partition in 0..<target.partitions {
      let present = try await count(in: partition)
      for (number, count) in present.enumerated() { counts[number][partition] = count }
    }
    return counts
  }

  /// How many entries of each partition of the source are in one of the target. A log that does not answer is asked
  /// again, because an append may wait for the count.
  private func count(in partition: Int) async throws(LogError) -> [Int] {
    try await asking { () async throws(LogError) in try await self.countOnce(in: partition) }
  }

  private func countOnce(in partition: Int) async throws(LogError) -> [Int] {
    var counts = Array(repeating: 0, count: source.partitions)
    let newest = try await target.newest(in: partition)
    var last = 0
    var batches = target.entries(of: partition, after: 0).makeAsyncIterator()
    while last < newest, let batch = try await batches.next() {
      for logged in batch.entries where logged.offset > last {
        counts[source.partition(of: keyOf(logged.entry))] += 1
      }
      last = max(last, batch.offsets.upperBound)
    }
    return counts
  }

  // MARK: Copying

  /// - Parameter present: how many of its entries each partition of the target has.
  private func copy(_ partition: Int, behind present: [Int]) async throws(LogError) {
    var toSkip = present
    var copied = Array(repeating: 0, count: target.partitions)
    var last = 0
    while !Task.isCancelled {
      do throws(LogError) {
        var batches = source.entries(of: partition, after: last).makeAsyncIterator()
        while let batch = try await batches.next() {
          let first = batch.offsets.lowerBound
          if first > last + 1 { try await check(last + 1...first - 1, of: partition) }
          var entries: [Entry] = []
          for logged in batch.entries where logged.offset > last {
            if try isInPlace(logged, of: partition) { entries.append(logged.entry) }
          }
          let parts = Dictionary(grouping: entries) { target.partition(of: keyOf($0)) }
          for (place, entries) in parts.sorted(by: { $0.key < $1.key }) {
            let skipped = min(toSkip[place], entries.count)
            toSkip[place] -= skipped
            try await append(
              Array(entries.dropFirst(skipped)),
              of: partition,
              to: place,
              behind: copied[place] + skipped
            )
            copied[place] += entries.count
          }
          last = max(last, batch.offsets.upperBound)
          progress[partition].reach(last)
        }
        // The log was closed, or the task is cancelled.
        return
      } catch  where error.isTemporary {
        await scheduler.pause(for: retry)
      }
    }
  }

  /// Appends entries once, also if the answer is lost.
  ///
  /// - Parameter before: how many entries of the partition of the source are in front of them.
  private func append(
    _ entries: [Entry],
    of partition: Int,
    to place: Int,
    behind before: Int
  ) async throws(LogError) {
    var left = entries
    while !left.isEmpty, !Task.isCancelled {
      do throws(LogError) {
        try await target.append(left, to: place)
        return
      } catch  where error.isTemporary {
        await scheduler.pause(for: retry)
        if case .unavailable = error { continue }
        // Nothing else appends, so the number of entries tells which are there.
        let present = try await count(in: place)[partition] - before
        // The count of a task that is cancelled is not complete.
        if Task.isCancelled { break }
        if present < 0 { throw .missing(log: target.name, partition: place, offset: 1) }
        left = Array(entries.dropFirst(present))
      }
    }
    if !left.isEmpty { throw .cancelled(log: target.name) }
  }

  /// Whether the rows of the source have an entry: one that is not in the partition of its key is passed over by them,
  /// or stops them, as the policy of the log says.
  private func isInPlace(_ logged: Logged<Entry>, of partition: Int) throws(LogError) -> Bool {
    let belongs = source.partition(of: keyOf(logged.entry))
    if belongs == partition { return true }
    if source.poison != .stop { return false }
    throw .misplaced(log: source.name, partition: partition, offset: logged.offset, belongs: belongs)
  }

  /// Checks that entries which are not there were deleted on purpose.
  private func check(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) {
    let deleted = try await source.deleted(offsets, of: partition).reduce(0) { $0 + $1.count }
    if deleted < offsets.count {
      throw .missing(log: source.name, partition: partition, offset: offsets.lowerBound)
    }
  }

  /// Asks again while there is no answer.
  private func asking<Answer>(_ ask: () async throws(LogError) -> Answer) async throws(LogError) -> Answer {
    while true {
      do throws(LogError) {
        return try await ask()
      } catch  where error.isTemporary && !Task.isCancelled {
        await scheduler.pause(for: retry)
      }
    }
  }
}
