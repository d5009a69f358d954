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
    for group in pendingGroups + pings.compactMap({ $0 }) where !group.isDone {
      if group.deadline <= now {
        group.fail { .timedOut(server: url, subject: $0.subject, limit: group.limit) }
      } else {
        earliest = min(earliest ?? group.deadline, group.deadline)
      }
    }
    if let earliest { watch(earliest) }
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
