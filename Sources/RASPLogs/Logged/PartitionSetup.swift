import Aggregate
import RASPJournal
import RASPKeyed
import Streams

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
  /// The member as which partitions are owned; `nil` if none are.
  let member: LogOwner?
  /// The partitions that are folded also while they are not owned.
  let follows: Set<Int>
  let reports: LogReports
}
