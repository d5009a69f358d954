import Aggregate
import Logging
public import RASPJournal
public import RASPLogs
import Streams
import Synchronization

extension PipelinePart {
  /// Makes a part of a journal. It ends in ``PipelineStage/storage``, when everything that was folded has been written.
  ///
  /// The process is not ready once the journal has failed: what is folded then is lost with the process.
  ///
  /// - Parameters:
  ///   - journal: the journal.
  ///   - name: the name.
  public init<State>(_ journal: Journal<State>, as name: String) {
    self.init(
      name: name,
      stage: .storage,
      watch: { monitor in
        monitor.counter("rasp.journal.written") { journal.writtenCount }
        monitor.counter("rasp.journal.stalls") { journal.stallCount }
        monitor.keep(journal.failures.subscribe { monitor.logger.error("the journal has failed: \($0)") })
        let isTold = Mutex(false)
        monitor.eachPeriod {
          let failure = journal.snapshotFailure
          let isNew = isTold.withLock { isTold in
            defer { isTold = failure != nil }
            return failure != nil && !isTold
          }
          if isNew, let failure { monitor.logger.warning("a snapshot could not be made: \(failure)") }
        }
      },
      problems: { journal.failure.map { ["the journal \(name) has failed: \($0)"] } ?? [] },
      end: { try await journal.close() }
    )
  }

  /// Makes a part of rows that are folded from a log. It ends in ``PipelineStage/states``: it commits its rows, and
  /// gives its partitions back. The log is a part of its own.
  ///
  /// The process is not ready while one of its partitions has failed.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - name: the name.
  ///   - limit: the time that its end may take.
  public init<Key, State>(
    _ rows: LoggedAggregator<Key, State>,
    as name: String,
    endingWithin limit: Duration = .seconds(10)
  ) {
    self.init(
      name: name,
      stage: .states,
      watch: { monitor in
        monitor.watch(rows)
        monitor.gauge("rasp.log.partitions") { rows.partitions.count }
        monitor.gauge("rasp.log.partitions.failed") { rows.failures.count }
        monitor.counter("rasp.log.skipped") { rows.skippedCount }
        monitor.keep(rows.ownership.subscribe { monitor.note($0) })
      },
      problems: {
        rows.failures.map { "the partition \($0.key) of \(name) has failed: \($0.value)" }.sorted()
      },
      end: { await rows.shutdown(within: limit) }
    )
  }

  /// Makes a part of a log. It is closed in ``PipelineStage/storage``, when the rows that are folded from it have
  /// ended.
  ///
  /// - Parameter log: the log.
  public init(_ log: some EventLog) {
    self.init(log.name, in: .storage) { try await log.close() }
  }
}

extension PartMonitor {
  fileprivate func note(_ ownership: LogOwnership) {
    switch ownership {
    case .failed(let partition, let error):
      logger.error("a partition has failed: \(error)", metadata: ["partition": "\(partition)"])
    case .deposed(let partition):
      logger.warning("another process has taken over a partition", metadata: ["partition": "\(partition)"])
    default:
      logger.info("\(ownership)")
    }
  }
}
