import Aggregate
import RASPJournal
import RASPKeyed
import Streams

/// Owns a partition as long as it is assigned to an aggregator: takes it over, folds its entries and commits its rows,
/// and does so again when it was deposed. As a follower it folds the entries and writes nothing.
///
/// Rows that are folded here are taken on by the next owner or follower of the same partition in this aggregator, so
/// that a follower that becomes the owner has nothing to fold again.
///
/// ```
///   take over ──▶ read ──▶ fold ──▶ react ──▶ read …         follow
///                  wait until due ──▶ commit ──▶ wait …       beside it
/// ```
///
/// What happens to it goes into a ``PartitionMachine``; one task carries out what comes out of it.
actor PartitionOwner<Key: PartitionKey, State: AggregateState> {
  /// What is asked for and changed on any thread.
  struct Shared: Sendable {
    var machine: PartitionMachine
    /// How far entries are folded. It ends when the partition is not owned any more.
    var progress = JournalProgress(at: 0)
    var task: Task<Void, Never>?
    var keepsRows = false
    /// Is opened when the reactions to a batch have returned, or are left behind.
    var reacting: Latch?
  }

  let partition: Int
  let role: PartitionRole
  let setup: PartitionSetup<Key, State>
  let shared: Lock<Shared>
  let isSettled = Latch()
  var progress: JournalProgress
  /// The newest entry that is folded into the rows here.
  var folded = FoldedEntry.none
  /// The newest entry that is folded and, with a reaction, has been reacted to. The rows are ahead of it between the
  /// two.
  var offset = 0
  /// That of this entry.
  var identity = EntryIdentity.unknown
  var revision = LogRevision.none
  var committed = 0
  /// Whether the rows of the record are of an earlier version, so that all entries are needed.
  private var isOlder = false
  /// The newest entry that any owner has committed, in any version: it was reacted to.
  var reacted = 0
  /// Rows stay ahead of the offset, because reactions were given up, until the partition is taken over again.
  var isAhead = false
  /// Is opened when rows and offset fit again.
  var rest: Latch?
  /// Is opened when so many entries are folded that are not committed.
  var due: (count: Int, latch: Latch)?

  /// Begins to own a partition.
  ///
  /// - Parameter before: an owner of the same partition here that may not have ended.
  init(
    of partition: Int,
    as role: PartitionRole,
    _ setup: PartitionSetup<Key, State>,
    after before: PartitionOwner?
  ) {
    self.partition = partition
    self.role = role
    self.setup = setup
    let shared = Shared(machine: PartitionMachine(of: partition, as: role))
    progress = shared.progress
    self.shared = Lock(shared)
    let task = Task {
      if let before { await self.goOn(from: before) }
      await self.run()
    }
    self.shared.withLock { $0.task = task }
  }

  // MARK: The life of the partition

  /// Takes the rows on that were folded before, when that one has ended. A reaction for which it waits may hang.
  private func goOn(from before: PartitionOwner) async {
    let timer = setup.scheduler.schedule(at: setup.scheduler.now.later(by: setup.retry)) { before.leaveReaction() }
    await before.ended()
    timer.cancel()
    folded = await before.folded
    reachFolded()
  }

  /// Has those go on who wait for an entry that is folded, when the rows have it.
  private func reachFolded() {
    let last = folded.offset
    setup.rows.behindEvents(ofShard: partition) { [progress] in progress.reach(last) }
  }

  private func run() async {
    while case .assigned = shared.withLock({ $0.machine.phase }) {
      take(.ended(await own()))
      guard case .paused = shared.withLock({ $0.machine.phase }) else { return }
      // Who waits for an entry of a partition that is followed may go on to wait.
      if setup.follows.contains(partition) { beginAnew() }
      await pause()
      if Task.isCancelled {
        progress.end(nil)
        return take(.givenBack)
      }
      beginAnew()
      take(.pauseIsOver)
    }
  }

  private func beginAnew() {
    (offset, identity, revision, committed, reacted, isAhead) = (0, .unknown, .none, 0, 0, false)
    if !progress.hasEnded { return }
    progress = JournalProgress(at: 0)
    shared.withLock { [progress] in $0.progress = progress }
    reachFolded()
  }

  private func take(_ event: PartitionMachine.Event) {
    let action = shared.withLock { $0.machine.take(event) }
    if let change = action.tell { setup.reports.tell(change) }
    if action.settles { isSettled.open() }
  }

  func pause() async {
    await setup.scheduler.pause(for: setup.retry)
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
    // Nothing is folded or reacted to any more.
    isAhead = folded.offset > offset
    if failure == nil, role == .owner { do throws(LogError) { try await commit() } catch {} }
    // The removals are in the line before the rows that the next owner restores.
    if !keepsRows(after: failure) { await dropRows() }
    progress.end(nil)
    return failure
  }

  /// Rows that were folded from the entries stay right when the partition goes to another owner.
  private func keepsRows(after failure: LogError?) -> Bool {
    switch failure {
    case nil: shared.withLock { $0.keepsRows }
    case .deposed: setup.follows.contains(partition)
    case let failure?: failure.isTemporary && setup.follows.contains(partition)
    }
  }

  /// Writes the record back, so that the owner before cannot commit from then on. A follower only reads it.
  ///
  /// - Returns: the newest entry that was there; `nil` if the task was cancelled.
  private func takeOver() async throws(LogError) -> Int? {
    assert(revision == .none && offset == 0, "a partition is taken over twice")
    let (log, rows) = (setup.log, setup.rows)
    let record = try await log.committed(partition)
    let isWarm = folded != .none
    let restored = try decoded(record, decodesRows: !isWarm)
    revision = record.revision
    if role == .owner {
      revision = try await log.commit(
        record.rows,
        at: record.offset,
        identified: record.identity,
        to: partition,
        replacing: record.revision
      )
    }
    if Task.isCancelled { return nil }
    take(.tookOver)
    (committed, reacted) = (record.offset, record.offset)
    // Rows of an earlier version: all is folded again, and committed when it is as far as the record.
    isOlder = restored == nil
    if isOlder { committed -= 1 }
    if !isWarm, let restored {
      folded = FoldedEntry(offset: record.offset, identity: record.identity)
      rows.insert(restored)
    }
    let first =
      needsEntriesAgain(behind: record) ? FoldedEntry(offset: record.offset, identity: record.identity) : folded
    (offset, identity) = (first.offset, first.identity)
    let newest = try await log.newest(in: partition)
    // The reader compares them, too. But it may have nothing to read, and the partition is live then.
    let found = newest < record.offset ? .unknown : try await log.identity(of: record.offset, in: partition)
    if newest < record.offset || !found.fits(record.identity) {
      throw .wentBack(log: log.name, partition: partition, newest: newest, wanted: record.offset)
    }
    let last = folded.offset
    if isWarm {
      let found = newest < last ? .unknown : try await log.identity(of: last, in: partition)
      if newest < last || !found.fits(folded.identity) {
        throw .wentBack(log: log.name, partition: partition, newest: newest, wanted: last)
      }
    }
    reachFolded()
    // The newest ones may have been deleted, and then they never come.
    return newest > last ? try await present(in: last + 1...newest) ?? last : newest
  }

  /// Whether entries that are folded here must be read once more, because they were folded as a follower: the owner
  /// before has not told that it has reacted to them.
  private func needsEntriesAgain(behind record: LogRecord) -> Bool {
    role == .owner && setup.reaction != nil && folded.offset > record.offset
  }

  /// The rows of a record; `nil` if they are of an earlier version of the state.
  ///
  /// - Parameter decodesRows: whether the rows are wanted.
  /// - Errors: ``LogError/newer(log:partition:type:)``, before anything is written.
  private func decoded(
    _ record: LogRecord,
    decodesRows: Bool
  ) throws(LogError) -> [(key: Key, value: State)]? {
    let log = setup.log.name
    let content: RowsCoding<Key, State>.Content
    do throws(JournalError) {
      content = try setup.coding.decode(record.rows, of: "\(log)/\(partition)", decodesRows: decodesRows)
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
    guard case .missing(let log, _, _) = error, let record = try? await setup.log.committed(partition),
      record.revision != revision || !isOlder && record.offset > folded.offset
    else { return error }
    // The rows of the record are needed, because the entries in front of it cannot be had.
    await dropRows()
    return .deposed(log: log, partition: partition)
  }

  private func serve(catchingUpWith newest: Int) async throws(LogError) {
    do {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask { try await self.follow() }
        if role == .owner { group.addTask { try await self.commitWhenDue() } }
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
