import Aggregate
import RASPJournal
import RASPKeyed
import RASPPrimitives
import Streams

/// Owns a partition as long as it is assigned to an aggregator: takes it over, folds its entries and commits its rows,
/// and does so again when it was deposed.
///
/// ```
///   take over ──▶ read ──▶ fold ──▶ react ──▶ read …         follow
///                  wait until due ──▶ commit ──▶ wait …       beside it
/// ```
///
/// What happens to it goes into a ``PartitionMachine``; one task carries out what comes out of it.
actor PartitionOwner<Key: PartitionKey, State: AggregateState> {
  /// What is asked for and changed on any thread.
  private struct Shared: Sendable {
    var machine: PartitionMachine
    /// How far entries are folded. It ends when the partition is not owned any more.
    var progress = JournalProgress(at: 0)
    var task: Task<Void, Never>?
    var keepsRows = false
  }

  let partition: Int
  let setup: PartitionSetup<Key, State>
  private let shared: Lock<Shared>
  private let isSettled = Latch()
  var progress: JournalProgress
  /// The newest entry that is folded and, with a reaction, has been reacted to.
  var offset = 0
  /// That of this entry.
  var identity = EntryIdentity.unknown
  var revision = LogRevision.none
  var committed = 0
  /// The newest entry that any owner has committed, in any version: it was reacted to.
  var reacted = 0
  /// Between the two, rows are ahead of the offset.
  var isReacting = false
  /// Rows are ahead of the offset, because the reactions to a batch were given up, until the partition is taken over
  /// again.
  var isAhead = false
  /// Is opened when rows and offset fit again.
  var rest: Latch?
  /// Is opened when so many entries are folded that are not committed.
  var due: (count: Int, latch: Latch)?

  /// Begins to own a partition.
  ///
  /// - Parameter before: an owner of the same partition here that may not have ended.
  init(of partition: Int, _ setup: PartitionSetup<Key, State>, after before: PartitionOwner?) {
    self.partition = partition
    self.setup = setup
    let shared = Shared(machine: PartitionMachine(of: partition))
    progress = shared.progress
    self.shared = Lock(shared)
    let task = Task {
      await before?.ended()
      await self.run()
    }
    self.shared.withLock { $0.task = task }
  }

  /// Why the partition cannot be owned; `nil` if it can.
  nonisolated var failure: LogError? { shared.withLock { $0.machine.failure } }

  /// Returns when the partition is live, or is not owned. One task may wait.
  nonisolated func settled() async { await isSettled.wait() }

  /// Has ``settled()`` return.
  nonisolated func endWaiting() { isSettled.open() }

  /// How far the partition is, for a look whether it goes on.
  nonisolated var restored: Int { shared.withLock { $0.progress }.written }

  /// Returns when an entry is folded.
  nonisolated func folded(_ offset: Int) async throws(LogError) {
    let progress = shared.withLock { $0.progress }
    await progress.wait(for: .written(offset))
    if progress.written >= offset || Task.isCancelled { return }
    throw failure ?? .notOwned(log: setup.log.name, partition: partition)
  }

  /// Gives the partition back. ``ended()`` waits until that is done.
  nonisolated func end(keepsRows: Bool = false) {
    let task = shared.withLock { shared in
      shared.keepsRows = keepsRows
      return shared.task
    }
    task?.cancel()
  }

  nonisolated func ended() async { await shared.withLock { $0.task }?.value }

  // MARK: The life of the partition

  private func run() async {
    while case .assigned = shared.withLock({ $0.machine.phase }) {
      let failure = await own()
      take(.ended(failure))
      if case .newer? = failure {
        await setup.log.decline(setup.reports.known.decline(partition), as: setup.member)
      }
      guard case .paused = shared.withLock({ $0.machine.phase }) else { return }
      await pause()
      if Task.isCancelled { return take(.givenBack) }
      (offset, identity, revision, committed, reacted, isAhead) = (0, .unknown, .none, 0, 0, false)
      progress = JournalProgress(at: 0)
      shared.withLock { [progress] in $0.progress = progress }
      take(.pauseIsOver)
    }
  }

  private func take(_ event: PartitionMachine.Event) {
    let action = shared.withLock { $0.machine.take(event) }
    if let change = action.tell { setup.reports.tell(change) }
    if action.settles { isSettled.open() }
  }

  func pause() async {
    try? await setup.scheduler.sleep(until: setup.scheduler.now.later(by: setup.retry))
  }

  /// Owns the partition once, until it is deposed, given back or cannot go on.
  ///
  /// - Returns: why it has ended; `nil` if the task was cancelled or the log was closed.
  private func own() async -> LogError? {
    var failure: LogError?
    do throws(LogError) {
      if let newest = try await takeOver() { try await serve(catchingUpWith: newest) }
    } catch {
      failure = await reason(for: error)
    }
    if failure == nil { do throws(LogError) { try await commit() } catch {} }
    // The removals are in the line before the rows that the next owner restores.
    if !shared.withLock({ $0.keepsRows }) { await dropRows() }
    progress.end(nil)
    return failure
  }

  /// Writes the record back: from then on the owner before cannot commit.
  ///
  /// - Returns: the newest entry that was there; `nil` if the task was cancelled.
  private func takeOver() async throws(LogError) -> Int? {
    assert(revision == .none && offset == 0, "a partition is taken over twice")
    let (log, rows) = (setup.log, setup.rows)
    let record = try await log.committed(partition)
    let restored = try decoded(record)
    revision = try await log.commit(
      record.rows,
      at: record.offset,
      identified: record.identity,
      to: partition,
      replacing: record.revision
    )
    if Task.isCancelled { return nil }
    take(.tookOver)
    (committed, reacted) = (record.offset, record.offset)
    if let restored {
      (offset, identity) = (record.offset, record.identity)
      rows.insert(restored)
    } else {
      // All is folded again, and committed when it is as far as the record.
      committed -= 1
    }
    let newest = try await log.newest(in: partition)
    // The reader compares them, too. But it may have nothing to read, and the partition is live then.
    let found = newest < record.offset ? .unknown : try await log.identity(of: record.offset, in: partition)
    if newest < record.offset || !found.fits(record.identity) {
      throw .wentBack(log: log.name, partition: partition, newest: newest, wanted: record.offset)
    }
    let folded = offset
    rows.behindEvents(ofShard: partition) { [progress] in progress.reach(folded) }
    // The newest ones may have been deleted, and then they never come.
    return newest > offset ? try await present(in: offset + 1...newest) ?? offset : newest
  }

  /// The rows of a record; `nil` if they are of an earlier version of the state.
  ///
  /// - Errors: ``LogError/newer(log:partition:type:)``, before anything is written.
  private func decoded(_ record: LogRecord) throws(LogError) -> [(key: Key, value: State)]? {
    let log = setup.log.name
    let content: RowsCoding<Key, State>.Content
    do throws(JournalError) {
      content = try setup.coding.decode(record.rows, of: "\(log)/\(partition)")
    } catch {
      throw .files(log: log, reason: error)
    }
    switch content {
    case .rows(let rows): return rows
    case .older: return nil
    case .newer(let type): throw .newer(log: log, partition: partition, type: type)
    }
  }

  /// What another owner has committed may have been deleted while this one still had to read it.
  private func reason(for error: LogError) async -> LogError {
    guard case .missing(let log, _, _) = error,
      let record = try? await setup.log.committed(partition), record.revision != revision
    else { return error }
    return .deposed(log: log, partition: partition)
  }

  private func serve(catchingUpWith newest: Int) async throws(LogError) {
    do {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask { try await self.follow() }
        group.addTask { try await self.commitWhenDue() }
        group.addTask { await self.catchUp(with: newest) }
        defer { group.cancelAll() }
        while let hasEnded = try await group.next(), !hasEnded {}
      }
    } catch let error as LogError {
      throw error
    } catch {
      assertionFailure("An owner has thrown \(error).")
    }
  }

  /// - Returns: `false`: the others go on.
  private func catchUp(with newest: Int) async -> Bool {
    await progress.wait(for: .written(newest))
    if progress.written >= newest { take(.caughtUp) }
    return false
  }
}

/// What the owners of all partitions of one aggregator have in common.
struct PartitionSetup<Key: PartitionKey, State: AggregateState>: Sendable {
  let log: any EventLog<State.Event>
  let rows: KeyedAggregator<Key, State>
  let keyOf: @Sendable (State.Event) -> Key
  let coding: RowsCoding<Key, State>
  let reaction: (@Sendable (LogPosition, State.Event) async -> Void)?
  /// How long, and how many entries, the record may be behind.
  let interval: Duration
  let events: Int
  /// The time after which what has failed is tried again.
  let retry: Duration
  let scheduler: any Scheduler
  let member: String
  let reports: LogReports
}
