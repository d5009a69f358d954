public import Aggregate
public import RASPJournal
import RASPKeyed
import RASPPrimitives
public import Streams

/// Rows that are folded from a log, and survive the end of the process: a ``/RASPKeyed/KeyedAggregator`` whose events
/// are durable before they are folded.
///
/// ```swift
/// let log = try FileLog<Reading>(at: "readings")
/// let sensors = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
/// try await sensors.append(Reading(sensor: "boiler-7", celsius: 81))      // durable when it returns
/// let shown = sensors["boiler-7"].select(\.celsius).subscribe { show($0) }
/// await sensors.shutdown()
/// ```
///
/// It owns the partitions that the log assigns to it, and has the rows whose keys belong to them. Aggregators of
/// several processes that share a log share its partitions.
///
/// ### What is promised
///
/// Each entry counts once in the rows, in the order of its partition, whatever fails: rows and the offset up to which
/// they are folded are one record, and what is behind it is folded again after a restart. An owner that was deposed
/// cannot write the record; its rows are those of some moment before until it notices, which is at its next commit.
///
/// A reaction is called at least once for each entry, before a record has the entry. The position that it gets is the
/// same each time, and tells systems outside that they know it already.
///
/// ### Lifetime
///
/// ``shutdown(within:)`` commits and gives the partitions back. Releasing the aggregator does the same a moment later.
///
/// - Concurrency: every member may be called from any task or thread.
/// - Complexity: an entry costs what it does in a ``/RASPKeyed/KeyedAggregator``, beside the log. A commit copies and
///   encodes all rows of the partition, while entries go on to be folded.
public final class LoggedAggregator<Key: PartitionKey, State: AggregateState>: Sendable {
  let rows: KeyedAggregator<Key, State>
  let setup: PartitionSetup<Key, State>
  let lines: SourceLines<Key, State>
  let owners = Lock(Owners())
  private let membership: Lock<Subscription?>

  struct Owners: Sendable {
    var present: [Int: PartitionOwner<Key, State>] = [:]
    /// Those of partitions that were given back, and may not have ended.
    var past: [Int: PartitionOwner<Key, State>] = [:]
    var hasEnded = false
  }

  /// Takes its part of the partitions over, and returns when their rows have all entries that were there before.
  ///
  /// A partition that cannot be restored is reported by ``failures`` and ``ownership``, and the others live.
  ///
  /// - Parameters:
  ///   - key: tells the row to which an event belongs, and with it the partition. It must always be the same.
  ///   - initial: returns the state of a row before its first event.
  ///   - keys: how keys are written into the record.
  ///   - states: how states are written into the record. Raise its version when the fold changes: rows of another
  ///     version are ignored, and all entries are folded again.
  ///   - log: where the events are.
  ///   - member: a name that no other aggregator on the log has.
  ///   - interval: how long the record may be behind what is folded: more than zero, as the times below.
  ///   - events: how many entries it may be behind: at least one.
  ///   - retry: the time after which a partition that another one has taken over is taken back, if it is still assigned
  ///     to this aggregator, and after which a log that did not answer is asked again.
  ///   - limit: how long it waits for partitions that do not get on.
  ///   - scheduler: tells the time for these.
  ///   - reaction: what else happens for each entry: see above. Entries of a partition are reacted to one after the
  ///     other, and the next are folded only then. It must not wait for ``shutdown(within:)``, which waits for it.
  /// - Errors: ``LogError/closed(log:)``; ``LogError/unavailable(log:reason:)`` with what was waited for if the log
  ///   cannot be reached until the limit is over, or until the task is cancelled; and
  ///   ``LogError/refused(log:partition:reason:)`` for a time or a number that makes no sense.
  public init(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    keys: Coding<Key>,
    states: Coding<State>,
    on log: any EventLog<State.Event>,
    as member: String = LoggedAggregator.newMember(),
    committingEvery interval: Duration = .seconds(10),
    orAfter events: Int = 50_000,
    retryingAfter retry: Duration = .seconds(1),
    restoringWithin limit: Duration = .seconds(60),
    scheduler: any Scheduler = .continuous,
    reacting reaction: (@Sendable (LogPosition, State.Event) async -> Void)? = nil
  ) async throws(LogError) {
    try Self.check(interval, events, retry, limit, on: log)
    rows = KeyedAggregator(shards: log.partitions, by: key, initial: initial)
    setup = PartitionSetup(
      log: log,
      rows: rows,
      keyOf: key,
      coding: RowsCoding(keys: keys, states: states),
      reaction: reaction,
      interval: interval,
      events: events,
      retry: retry,
      scheduler: scheduler,
      member: member,
      reports: LogReports(of: log.name, partitions: log.partitions)
    )
    lines = SourceLines(setup)
    membership = Lock(nil)
    let isAssigned = Latch()
    let isClosed = Lock(false)
    let subscription = log.assignment(of: member).subscribe { [weak self] partitions in
      self?.own(partitions)
      isAssigned.open()
    } onEnd: { _ in
      isClosed.withLock { $0 = true }
      isAssigned.open()
    }
    membership.exchange(with: subscription)
    let stalled = Lock<String?>(nil)
    // It keeps nothing of this object: a member leaves as soon as its user releases it.
    let watch = Task { [weak self] in
      let reason = await Self.waitForStall(limit, on: scheduler) { [weak self] in
        self?.owners.withLock { $0.present.mapValues(\.restored) }
      }
      guard let reason else { return }
      stalled.withLock { $0 = reason }
      isAssigned.open()
      self?.owners.withLock { Array($0.present.values) }.forEach { $0.endWaiting() }
    }
    await withTaskCancellationHandler {
      await isAssigned.wait()
      for owner in owners.withLock({ Array($0.present.values) }) { await owner.settled() }
    } onCancel: {
      end(keepsRows: false)
      isAssigned.open()
    }
    watch.cancel()
    if let reason = stalled.withLock({ $0 }) { throw await given(up: .unavailable(log: log.name, reason: reason)) }
    if isClosed.withLock({ $0 }) { throw await given(up: .closed(log: log.name)) }
    if Task.isCancelled {
      throw await given(up: .unavailable(log: log.name, reason: "the task was cancelled while rows were restored"))
    }
  }

  private func given(up failure: LogError) async -> LogError {
    await shutdown()
    return failure
  }

  deinit {
    lines.close()
    end(keepsRows: false)
    // What sources have sent is still appended, if the log takes it soon.
    if lines.count > 0 {
      Task { [lines, scheduler = setup.scheduler] in
        try? await scheduler.sleep(until: scheduler.now.later(by: .seconds(10)))
        lines.giveUp()
      }
    }
  }

  /// A name that is different each time.
  public static func newMember() -> String {
    "member-" + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// What becomes of the partitions, from now on.
  public var ownership: Observable<LogOwnership, Never> { setup.reports.ownership.observable }

  /// Why partitions that are assigned to this aggregator cannot be owned by it, now. Their rows are not here.
  public var failures: [Int: LogError] { setup.reports.known.failures }

  /// The entries that are passed over from now on, by the policy of the log. After a restart, those behind the record
  /// come again.
  public var skipped: Observable<SkippedEntry, Never> { setup.reports.skipped.observable }

  /// How many entries this aggregator has passed over.
  public var skippedCount: Int { setup.reports.known.skippedCount }

  /// The partitions that are assigned to this aggregator now, and have not failed.
  public var partitions: Set<Int> {
    let failed = failures
    return owners.withLock { Set($0.present.keys) }.filter { failed[$0] == nil }
  }

  /// Whether the partitions are being given back.
  package var isEnding: Bool { owners.withLock { $0.hasEnded } }

  // MARK: End

  /// Ends all sources, appends what they have sent and waits until that is folded here, commits what is folded, gives
  /// the partitions back and finishes all subscribers. The rows stay readable, and the log stays open. The next owner
  /// has nothing to fold again.
  ///
  /// A reaction that is being called is waited for, and no other one is called. A batch of which not all entries were
  /// reacted to is not committed, and reacted to again.
  ///
  /// - Parameter limit: how long it waits for a log that does not answer; not at all if it is not above zero. What is
  ///   not committed by then is folded again by the next owner, and what is not appended is told by ``unappended``.
  public func shutdown(within limit: Duration = .seconds(10)) async {
    lines.close()
    let isOver = Latch()
    let work = Task {
      await self.lines.drained()
      for (partition, offset) in self.lines.newest {
        let owner = self.owners.withLock { $0.present[partition] }
        do throws(LogError) { try await owner?.folded(offset) } catch {}
      }
      await self.end(keepsRows: true).value
      isOver.open()
    }
    let timer = setup.scheduler.schedule(at: setup.scheduler.now.later(by: limit)) { isOver.open() }
    await isOver.wait()
    timer.cancel()
    lines.giveUp()
    // Those that wait for an entry go on, and the partitions are given back, also if the limit is over.
    work.cancel()
    end(keepsRows: true)
    rows.finish()
    lines.finish()
    setup.reports.finish()
  }

  /// Ends as ``shutdown(within:)`` does, and does not wait for it: sources end at once.
  ///
  /// - Returns: `false` if its end had begun before.
  @discardableResult
  public func finish() -> Bool {
    guard lines.close() else { return false }
    Task { await self.shutdown() }
    return true
  }

  /// - Returns: a task that ends when all partitions are given back, and the others know it.
  @discardableResult
  func end(keepsRows: Bool) -> Task<Void, Never> {
    let subscription = membership.withLock { $0.take() }
    let (present, past) = owners.withLock { owners in
      owners.hasEnded = true
      return (Array(owners.present.values), Array(owners.past.values))
    }
    for owner in present { owner.end(keepsRows: keepsRows) }
    // One that is only released is not waited for, so others may have its partitions at once.
    if !keepsRows { subscription?.cancel() }
    return Task {
      for owner in present + past { await owner.ended() }
      // One that is shut down leaves only now, so that the next owners find all that was folded here in the records.
      subscription?.cancel()
    }
  }

  /// Called with one assignment after the other.
  private func own(_ partitions: Set<Int>) {
    let setup = setup
    let ending = owners.withLock { owners -> [PartitionOwner<Key, State>] in
      if owners.hasEnded { return [] }
      let ending = owners.present.filter { !partitions.contains($0.key) }
      for (partition, owner) in ending {
        owners.present[partition] = nil
        owners.past[partition] = owner
      }
      for partition in partitions where owners.present[partition] == nil {
        let before = owners.past.removeValue(forKey: partition)
        owners.present[partition] = PartitionOwner(of: partition, setup, after: before)
      }
      assert(Set(owners.present.keys) == partitions, "a partition that is assigned and has no owner")
      return Array(ending.values)
    }
    for owner in ending { owner.end() }
  }
}
