import Streams

/// A reaction that is being called. The tasks that it starts know it, too, so that none of them waits for what happens
/// only when it has returned.
///
/// Safe to share: what changes is behind the lock.
final class Reaction: Sendable {
  let position: LogPosition
  /// Tells the aggregator from others on the same log.
  let reports: LogReports
  let isOver = Lock(false)

  init(to position: LogPosition, of reports: LogReports) {
    (self.position, self.reports) = (position, reports)
  }
}

extension LogReports {
  /// The entry to which this aggregator reacts in the present task, or in one that has started it; `nil` if it does
  /// not.
  var reacting: LogPosition? {
    OngoingWork.around.lazy.compactMap { $0 as? Reaction }.last { reaction in
      reaction.reports === self && !reaction.isOver.withLock { $0 }
    }?.position
  }
}
