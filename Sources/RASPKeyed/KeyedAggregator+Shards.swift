extension KeyedAggregator {
  /// Folds events that all belong to one shard, with nothing between them.
  ///
  /// - Returns: `false` if the aggregator has finished. Then nothing is folded.
  package func send(contentsOf events: [State.Event], toShard index: Int) -> Bool {
    core.shards[index].receive(events.indices, of: events, from: nil) { core.router.key(of: events[$0]) }
  }

  /// Calls `action` behind everything that a shard has accepted, unless the rows have ended by then.
  package func behindEvents(ofShard index: Int, _ action: @escaping @Sendable () -> Void) {
    core.shards[index].queue.run { shell, access in
      if !shell.tree.hasEnded { action() }
    }
  }

  /// Calls `take` with the rows of a shard, in the order in which they were made, behind everything that it has
  /// accepted.
  ///
  /// - Complexity: O(n log n) for n rows of the shard.
  package func copyRows(
    ofShard index: Int,
    _ take: @escaping @Sendable ([(key: Key, value: State)]) -> Void
  ) {
    core.shards[index].queue.run { shell, access in
      take(shell.store.inOrder.compactMap { row in row.state.map { (row.key, $0) } })
    }
  }
}
