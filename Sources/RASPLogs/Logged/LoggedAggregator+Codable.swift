public import Aggregate
import RASPJournal
public import Streams

extension LoggedAggregator where Key: Codable, State: Codable {
  /// Takes its part of the partitions over, with records in JSON; see
  /// ``init(by:initial:keys:states:on:as:committingEvery:orAfter:retryingAfter:restoringWithin:scheduler:reacting:)``.
  public convenience init(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    on log: any EventLog<State.Event>,
    as member: String = LoggedAggregator.newMember(),
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
      committingEvery: interval,
      orAfter: events,
      retryingAfter: retry,
      restoringWithin: limit,
      scheduler: scheduler,
      reacting: reaction
    )
  }
}
