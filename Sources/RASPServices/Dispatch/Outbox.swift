import Streams

/// The line of actions that were sent in the sections of one dispatch. They are sent when the dispatched action has
/// reached all its services.
///
/// A part of the span of the dispatch, so that it takes no memory of its own.
///
/// Safe to share: the line is behind the lock.
struct Outbox: ~Copyable, Sendable {
  /// Sends one action.
  typealias Postponed = @Sendable () async -> Failures?

  /// `nil` once the dispatch is over.
  private let line = Lock<[Postponed]?>([])
  private let alarm = GrowthAlarm()

  /// Adds an action to the end of the line.
  ///
  /// - Returns: whether so many wait that it is to be reported; `nil` if the dispatch is over. Then the action must be
  ///   sent at once.
  func add(_ action: @escaping Postponed) -> Bool? {
    let count = line.withLock { line in
      line?.append(action)
      return line?.count
    }
    return count.map { alarm.rings(at: $0) }
  }

  /// Closes the outbox, unless actions wait in it.
  func closeIfEmpty() -> Bool {
    line.withLock { line in
      if line?.isEmpty == true { line = nil }
      return line == nil
    }
  }

  /// Sends the actions in the line, one after the other, and the actions that these postpone. However many follow, they
  /// take no more stack or memory than the first. Then the outbox is closed.
  nonisolated(nonsending) func sendAll() async -> Failures? {
    var failures: Failures?
    while let batch = takeBatch() {
      for send in batch { failures.add(await send()) }
    }
    return failures
  }

  /// Takes the line out; closes the outbox if the line is empty.
  private func takeBatch() -> [Postponed]? {
    line.withLock { line in
      if line?.isEmpty ?? true {
        line = nil
        return nil
      }
      defer { line = [] }
      return line
    }
  }
}
