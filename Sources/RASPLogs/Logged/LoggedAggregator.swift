public import Aggregate
import RASPJournal
import RASPKeyed
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
/// - Complexity: an entry costs what it does in a ``/RASPKeyed/KeyedAggregator``, beside the log. A commit copies
///   all rows of the partition, which folds nothing meanwhile, and encodes them while entries go on to be folded.
public final class LoggedAggregator<Key: PartitionKey, State: AggregateState>: Sendable {
  let setup: PartitionSetup<Key, State>
  let table: Aggregator<OwnerTable>
  let holders = Lock(Owners())
  private let membership: Lock<Subscription?>

  struct Owners: Sendable {
    var present: [Int: PartitionOwner<Key, State>] = [:]
    /// Those of partitions that were given back, and may not have ended.
    var past: [Int: PartitionOwner<Key, State>] = [:]
    var hasEnded = false
  }

  /// Joins the members of the log, or follows it, and returns when all rows have the entries that were there before.
  init(_ setup: PartitionSetup<Key, State>, restoringWithin limit: Duration) async throws(LogError) {
    self.setup = setup
    let (log, member, scheduler) = (setup.log, setup.member, setup.scheduler)
    table = Aggregator(initial: OwnerTable(owners: LogOwners(Array(repeating: nil, count: log.partitions))))
    membership = Lock(nil)
    let isAssigned = Latch()
    let isClosed = Lock(false)
    // Who only follows waits for no other.
    if member == nil {
      own([])
      isAssigned.open()
    }
    let subscription = log.owners(joining: member).subscribe { [weak self] owners in
      self?.own(member.map { owners.partitions(of: $0.member) } ?? [])
      isAssigned.open()
      // Last, because subscribers may take their time.
      self?.table.send(owners)
    } onEnd: { _ in
      isClosed.withLock { $0 = true }
      isAssigned.open()
    }
    membership.exchange(with: subscription)
    let stalled = Lock<String?>(nil)
    // It keeps nothing of this object: a member leaves as soon as its user releases it.
    let watch = Task { [weak self] in
      let reason = await Self.waitForStall(limit, on: scheduler) { [weak self] in
        self?.holders.withLock { $0.present.mapValues(\.restored) }
      }
      guard let reason else { return }
      stalled.withLock { $0 = reason }
      isAssigned.open()
      self?.holders.withLock { Array($0.present.values) }.forEach { $0.endWaiting() }
    }
    await withTaskCancellationHandler {
      await isAssigned.wait()
      for owner in holders.withLock({ Array($0.present.values) }) { await owner.settled() }
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

  deinit { end(keepsRows: false) }

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
    return holders.withLock { Set($0.present.filter { $0.value.role == .owner }.keys) }.filter { failed[$0] == nil }
  }

  // MARK: End

  /// Commits what is folded, gives the partitions back and finishes all subscribers. The rows stay readable, and the
  /// log stays open. The next owner has nothing to fold again.
  ///
  /// A reaction that is being called is waited for, and no other one is called. A batch of which not all entries were
  /// reacted to is not committed, and reacted to again. In a reaction, which would wait for itself, it returns at once,
  /// as ``finish()`` does.
  ///
  /// - Parameter limit: how long it waits for a log that does not answer; not at all if it is not above zero. What is
  ///   not committed by then is folded again by the next owner.
  public func shutdown(within limit: Duration = .seconds(10)) async {
    if setup.reports.reacting != nil {
      Task.detached { await self.shutdown(within: limit) }
      return
    }
    let isOver = Latch()
    let ending = end(keepsRows: true)
    Task {
      await ending.value
      isOver.open()
    }
    let timer = setup.scheduler.schedule(at: setup.scheduler.now.later(by: limit)) { isOver.open() }
    await isOver.wait()
    timer.cancel()
    // The partitions are given back, also if the limit is over.
    membership.withLock { $0.take() }?.cancel()
    setup.rows.finish()
    table.finish()
    setup.reports.finish()
  }

  /// Ends as ``shutdown(within:)`` does, and does not wait for it.
  ///
  /// - Returns: `false` if its end had begun before.
  @discardableResult
  public func finish() -> Bool {
    let hadEnded = holders.withLock { owners in
      defer { owners.hasEnded = true }
      return owners.hasEnded
    }
    if hadEnded { return false }
    Task { await self.shutdown() }
    return true
  }

  /// - Returns: a task that ends when all partitions are given back, and the others know it.
  @discardableResult
  func end(keepsRows: Bool) -> Task<Void, Never> {
    let subscription = membership.withLock { $0 }
    let (present, past) = holders.withLock { owners in
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
    let ending = holders.withLock { owners -> [PartitionOwner<Key, State>] in
      if owners.hasEnded { return [] }
      var roles = Dictionary(uniqueKeysWithValues: setup.follows.map { ($0, PartitionRole.follower) })
      for partition in partitions { roles[partition] = .owner }
      let ending = owners.present.filter { roles[$0.key] != $0.value.role }
      for (partition, owner) in ending {
        owners.present[partition] = nil
        owners.past[partition] = owner
      }
      for (partition, role) in roles where owners.present[partition] == nil {
        let before = owners.past.removeValue(forKey: partition)
        owners.present[partition] = PartitionOwner(of: partition, as: role, setup, after: before)
      }
      assert(Set(owners.present.keys) == Set(roles.keys), "a partition that is assigned and has no owner")
      return Array(ending.values)
    }
    // A follower takes the rows of the owner on, and an owner those of the follower.
    for owner in ending { owner.end(keepsRows: setup.follows.contains(owner.partition)) }
  }
}
