import NIOCore

/// One timer for all requests: it stands at the earliest end of a time limit.
extension Session {
  /// Makes sure that the timer goes off by then.
  func watch(_ deadline: NIODeadline) {
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    let task = loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
      guard let self else { return }
      self.timer = nil
      self.expire()
    }
    timer = (deadline, task)
  }

  private func expire() {
    let now = NIODeadline.now()
    let url = server.url
    requests.fail(where: { $0.deadline <= now }) { group, request in
      .timedOut(server: url, subject: request.subject, limit: group.limit)
    }
    var earliest = requests.earliestDeadline
    for (groups, isSent) in [(pendingGroups, false), (pings.compactMap { $0 }, true)] {
      for group in groups where !group.isDone {
        if group.deadline <= now {
          group.fail { isSent ? .timedOut(server: url, subject: $0.subject, limit: group.limit) : notSent($0, group) }
        } else {
          earliest = min(earliest ?? group.deadline, group.deadline)
        }
      }
    }
    removeFinished()
    if let earliest { watch(earliest) }
  }

  /// The error of a request that is still here when its time is over.
  func notSent(_ request: NATSRequest, _ group: RequestGroup) -> NATSError {
    .notSent(server: server.url, subject: request.subject, limit: group.limit)
  }

  /// Removes what was not sent and has its results already, and gives its room to others.
  func removeFinished() {
    var released = 0
    pending.removeAll { command in
      switch command {
      case .request(let group, _) where group.isDone:
        released += group.size
        return true
      case .ping(let group, _):
        return group.isDone
      default:
        return false
      }
    }
    if released > 0 { outbox.release(bytes: released) }
  }

  /// The requests that were not sent yet.
  private var pendingGroups: [RequestGroup] {
    pending.compactMap { command in
      switch command {
      case .request(let group, _), .ping(let group, _): group
      case .publish, .cancel, .subscribe, .unsubscribe, .close: nil
      }
    }
  }
}
