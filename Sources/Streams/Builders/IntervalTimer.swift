/// The ticks of one subscription to an interval: one pending action at a time.
///
/// Safe to share: `progress` is behind its lock. Ticks never overlap, because each is scheduled after the one before it
/// has been handled.
final class IntervalTimer: Sendable {
  private struct Progress: Sendable {
    var tick = 0
    var due: Duration
  }

  private let period: Duration
  private let scheduler: any Scheduler
  private let observer: Observer<Int, Never>
  private let pending: SerialSubscription
  private let progress: Lock<Progress>

  init(period: Duration, scheduler: any Scheduler, observer: Observer<Int, Never>) {
    self.period = period > .zero ? period : .milliseconds(1)
    self.scheduler = scheduler
    self.observer = observer
    pending = SerialSubscription(of: observer.lifetime)
    progress = Lock(Progress(due: scheduler.now.later(by: self.period)))
  }

  func scheduleNext() {
    guard observer.lifetime.isActive else { return }
    let (due, tick) = progress.withLock { ($0.due, $0.tick) }
    pending.replace(with: scheduler.schedule(at: due) { self.fire() }, generation: tick)
  }

  private func fire() {
    CarriedCause.unknown.deliver { observer.send(progress.withLock(\.tick)) }
    let now = scheduler.now
    let isToCome = progress.withLock { progress in
      progress.tick += 1
      progress.due = progress.due.later(by: period)
      if progress.due <= now {
        // Missed ticks are skipped in one step: the next instant of the same phase that is still to come.
        let missed = (now - progress.due).attoseconds / period.attoseconds
        progress.due = (progress.due + Duration(attoseconds: missed * period.attoseconds)).later(by: period)
      }
      return progress.due > now
    }
    // At the end of time there is no next instant.
    if isToCome { scheduleNext() }
  }
}
