public import Aggregate
public import RASPJournal
import RASPKeyed
public import Streams

extension LoggedAggregator {
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
  ///   - address: where the application is reached, for ``owners``: the log keeps it beside the name.
  ///   - isFollowing: whether the partitions of others are folded here, too. Then all rows are here, those of others a
  ///     moment later than at their owners, and a partition that comes here is taken over without folding it again.
  ///   - interval: how long the record may be behind what is folded: more than zero, as the times below.
  ///   - events: how many entries it may be behind: at least one.
  ///   - retry: the time after which a partition that another one has taken over is taken back, if it is still assigned
  ///     to this aggregator, and after which a log that did not answer is asked again. A partition that comes back
  ///     waits so long for a reaction that was called before it went; then it goes on without it.
  ///   - limit: how long it waits for partitions that do not get on.
  ///   - scheduler: tells the time for these.
  ///   - reaction: what else happens for each entry: see above. Entries of a partition are reacted to one after the
  ///     other, and the next are folded only then. So it cannot wait for a later entry of its partition, see
  ///     ``folded(_:)``, and reactions of two partitions must not wait for each other.
  /// - Errors: ``LogError/closed(log:)``; ``LogError/unavailable(log:reason:)`` with what was waited for if the log
  ///   cannot be reached until the limit is over, or until the task is cancelled; and
  ///   ``LogError/refused(log:partition:reason:)`` for a time or a number that makes no sense.
  public convenience init(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    keys: Coding<Key>,
    states: Coding<State>,
    on log: any EventLog<State.Event>,
    as member: String = LoggedAggregator.newMember(),
    at address: String? = nil,
    followingOthers isFollowing: Bool = false,
    committingEvery interval: Duration = .seconds(10),
    orAfter events: Int = 50_000,
    retryingAfter retry: Duration = .seconds(1),
    restoringWithin limit: Duration = .seconds(60),
    scheduler: any Scheduler = .continuous,
    reacting reaction: (@Sendable (LogPosition, State.Event) async -> Void)? = nil
  ) async throws(LogError) {
    try Self.check(interval, events, retry, limit, on: log)
    try await self.init(
      PartitionSetup(
        log: log,
        rows: KeyedAggregator(shards: log.partitions, indexOf: { log.partition(of: $0) }, by: key, initial: initial),
        keyOf: key,
        coding: RowsCoding(keys: keys, states: states),
        reaction: reaction,
        interval: interval,
        events: events,
        retry: retry,
        scheduler: scheduler,
        member: LogOwner(member, at: address),
        follows: isFollowing ? Set(0..<log.partitions) : [],
        reports: LogReports(of: log.name, partitions: log.partitions)
      ),
      restoringWithin: limit
    )
  }
}

extension LoggedAggregator where Key: Codable, State: Codable {
  /// Takes its part of the partitions over, with records in JSON, as the form with codings does.
  public convenience init(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    on log: any EventLog<State.Event>,
    as member: String = LoggedAggregator.newMember(),
    at address: String? = nil,
    followingOthers isFollowing: Bool = false,
    committingEvery interval: Duration = .seconds(10),
    orAfter events: Int = 50_000,
    retryingAfter retry: Duration = .seconds(1),
    restoringWithin limit: Duration = .seconds(60),
    scheduler: any Scheduler = .continuous,
    reacting reaction: (@Sendable (LogPosition, State.Event) async -> Void)? = nil
  ) async throws(LogError) {
    try await self.init(
      by: key,
      initial: initial,
      keys: .codable,
      states: .codable,
      on: log,
      as: member,
      at: address,
      followingOthers: isFollowing,
      committingEvery: interval,
      orAfter: events,
      retryingAfter: retry,
      restoringWithin: limit,
      scheduler: scheduler,
      reacting: reaction
    )
  }
}
