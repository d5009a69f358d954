import Aggregate

extension LoggedAggregator {
  /// Appends an event to the log. Its row need not be one of those here.
  ///
  /// - Returns: its position, when it is durable. It is folded a moment later, by the owner of its row: see
  ///   ``folded(_:)``.
  /// - Errors: what the log throws. After ``LogError/unacknowledged(log:partition:)`` it is not known whether it was
  ///   appended. After ``LogError/wentBack(log:partition:newest:wanted:)`` it was, to a log that has lost others. If
  ///   the partition has failed here, what it failed with is thrown, and nothing is appended.
  @discardableResult
  public func append(_ event: State.Event) async throws(LogError) -> LogPosition {
    try await setup.append([event], to: setup.partition(of: event))
  }

  /// Appends several events, to all of their partitions at once.
  ///
  /// - Returns: the position of the last one in each partition, in the order of the partitions, when all are durable.
  /// - Ordering: events of one partition keep their order, and so do those of one row. There is no order between
  ///   partitions.
  /// - Errors: what the log throws, if all events belong to one partition. Otherwise
  ///   ``LogError/partlyAppended(log:appended:failures:)``, which tells for each partition whether its events were
  ///   appended: those of a partition are appended by one call of the log.
  /// - Complexity: O(events), beside the log, with a task for each partition that has events.
  @discardableResult
  public func append(contentsOf events: some Sequence<State.Event>) async throws(LogError) -> [LogPosition] {
    try await setup.append(contentsOf: events)
  }

  /// Returns when the event at a position is folded here.
  ///
  /// - Errors: ``LogError/notOwned(log:partition:)`` if the row is not one of those here, and what has ended its
  ///   partition; ``LogError/cancelled(log:)`` if the task was cancelled before; and
  ///   ``LogError/refused(log:partition:reason:)`` in a reaction to an earlier entry of the partition, which would wait
  ///   for itself. The tasks that it starts are a part of it until it returns, but for those that are detached.
  public func folded(_ position: LogPosition) async throws(LogError) {
    guard let owner = holders.withLock({ $0.present[position.partition] }) else {
      throw .notOwned(log: setup.log.name, partition: position.partition)
    }
    try await owner.folded(position.offset)
  }
}
