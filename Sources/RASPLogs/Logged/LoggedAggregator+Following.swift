public import Aggregate
public import RASPJournal
import RASPKeyed
public import Streams

extension LoggedAggregator {
  /// Folds the partitions of a log without owning them, so that this process answers reads of all rows, and of rankings
  /// over all of them. It is no member of the log, commits nothing and reacts to nothing.
  ///
  /// ```swift
  /// let shown = try await LoggedAggregator(following: log, by: \Reading.sensor, initial: { _ in Sensor() })
  /// try await shown.atLeast(position)           // as new as what the client has seen
  /// let hottest = shown.ranked(by: \.celsius, first: 10).current
  /// ```
  ///
  /// It begins with the records of the owners. Its rows are those of a moment before; see ``atLeast(_:)``. It returns
  /// when all entries are folded that were there.
  ///
  /// - Parameters:
  ///   - log: where the events are.
  ///   - partitions: those that are folded; `nil` for all.
  ///   - key: tells the row to which an event belongs, as for an owner.
  ///   - initial: returns the state of a row before its first event.
  ///   - keys: how keys are read from the record.
  ///   - states: how states are read from the record. Rows of another version are ignored, and all entries are folded.
  ///   - retry: the time after which a log that did not answer is asked again.
  ///   - limit: how long it waits for partitions that do not get on.
  ///   - scheduler: tells the time for these.
  /// - Errors: as for an owner.
  public convenience init(
    following log: any EventLog<State.Event>,
    partitions: Set<Int>? = nil,
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    keys: Coding<Key>,
    states: Coding<State>,
    retryingAfter retry: Duration = .seconds(1),
    restoringWithin limit: Duration = .seconds(60),
    scheduler: any Scheduler = .continuous
  ) async throws(LogError) {
    try Self.check(.seconds(1), 1, retry, limit, on: log)
    let all = Set(0..<log.partitions)
    if let partition = partitions?.subtracting(all).min() {
      throw .noPartition(log: log.name, partition: partition, partitions: log.partitions)
    }
    try await self.init(
      PartitionSetup(
        log: log,
        rows: KeyedAggregator(shards: log.partitions, indexOf: { log.partition(of: $0) }, by: key, initial: initial),
        keyOf: key,
        coding: RowsCoding(keys: keys, states: states),
        reaction: nil,
        // Nothing is committed.
        interval: .seconds(1),
        events: 1,
        retry: retry,
        scheduler: scheduler,
        member: nil,
        follows: partitions ?? all,
        reports: LogReports(of: log.name, partitions: log.partitions)
      ),
      restoringWithin: limit
    )
  }

  /// Returns when the rows here have an entry, so that what is read then is at least as new: the bound of how old the
  /// rows of a follower are. It also waits while a partition goes from one member to another.
  ///
  /// ```swift
  /// let position = try await orders.append(order)       // in one process
  /// try await shown.atLeast(position)                   // in another one, which was told the position
  /// ```
  ///
  /// - Errors: ``LogError/cancelled(log:)`` if the task was cancelled before; ``LogError/notOwned(log:partition:)`` if
  ///   the partition is neither owned nor followed here, also when this aggregator has ended;
  ///   ``LogError/refused(log:partition:reason:)`` for a position of another log, and in a reaction to an earlier entry
  ///   of the partition, as for ``folded(_:)``; and why the partition has failed.
  public func atLeast(_ position: LogPosition) async throws(LogError) {
    let (log, partition) = (setup.log, position.partition)
    guard position.log == log.name else {
      let reason = "the position \(position) is one of another log."
      throw .refused(log: log.name, partition: nil, reason: reason)
    }
    guard (0..<log.partitions).contains(partition) else {
      throw .noPartition(log: log.name, partition: partition, partitions: log.partitions)
    }
    while true {
      let (owner, hasEnded) = present(partition)
      guard let owner else { throw .notOwned(log: log.name, partition: partition) }
      do throws(LogError) {
        try await owner.folded(position.offset)
        if owner.restored >= position.offset { return }
      } catch {
        // The partition may be going to another owner here, or to a follower.
        let isOther = present(partition).owner !== owner
        let mayGoOn = isOther || setup.follows.contains(partition) && !owner.isReleased
        guard case .notOwned = error, mayGoOn, !hasEnded else { throw error }
      }
      if Task.isCancelled { throw .cancelled(log: log.name) }
      await Task.yield()
    }
  }

  private func present(_ partition: Int) -> (owner: PartitionOwner<Key, State>?, hasEnded: Bool) {
    holders.withLock { ($0.present[partition], $0.hasEnded) }
  }
}

extension LoggedAggregator where Key: Codable, State: Codable {
  /// Folds the partitions of a log without owning them, with records in JSON; see
  /// ``init(following:partitions:by:initial:keys:states:retryingAfter:restoringWithin:scheduler:)``.
  public convenience init(
    following log: any EventLog<State.Event>,
    partitions: Set<Int>? = nil,
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    retryingAfter retry: Duration = .seconds(1),
    restoringWithin limit: Duration = .seconds(60),
    scheduler: any Scheduler = .continuous
  ) async throws(LogError) {
    try await self.init(
      following: log,
      partitions: partitions,
      by: key,
      initial: initial,
      keys: .codable,
      states: .codable,
      retryingAfter: retry,
      restoringWithin: limit,
      scheduler: scheduler
    )
  }
}
