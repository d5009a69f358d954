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
    try await append([event], to: setup.keyOf(event).partition(of: setup.log.partitions))
  }

  private func append(_ events: [State.Event], to partition: Int) async throws(LogError) -> LogPosition {
    let (log, known) = (setup.log, setup.reports.known)
    let seen = try known.newest(in: partition)
    let offset = try await log.append(events, to: partition)
    if offset < seen + events.count {
      throw .wentBack(log: log.name, partition: partition, newest: offset, wanted: seen)
    }
    known.see(offset, in: partition)
    return LogPosition(log: log.name, partition: partition, offset: offset)
  }

  /// Appends several events, one call for each partition.
  ///
  /// - Returns: the position of the last one in each partition, when all are durable.
  /// - Ordering: events of one row keep their order.
  /// - Errors: what the log throws. Events of other partitions may have been appended then.
  @discardableResult
  public func append(contentsOf events: some Sequence<State.Event>) async throws(LogError) -> [LogPosition] {
    let count = setup.log.partitions
    let parts = Dictionary(grouping: events) { setup.keyOf($0).partition(of: count) }
    var positions: [LogPosition] = []
    for (partition, events) in parts.sorted(by: { $0.key < $1.key }) {
      positions.append(try await append(events, to: partition))
    }
    return positions
  }

  /// Returns when the event at a position is folded here.
  ///
  /// - Errors: ``LogError/notOwned(log:partition:)`` if the row is not one of those here, and what has ended its
  ///   partition. If the task is cancelled it returns early.
  public func folded(_ position: LogPosition) async throws(LogError) {
    guard let owner = owners.withLock({ $0.present[position.partition] }) else {
      throw .notOwned(log: setup.log.name, partition: position.partition)
    }
    try await owner.folded(position.offset)
  }
}
