extension Observable where Element == Int, Failure == Never {
  /// Makes a stream that ticks for ever: it sends 0 one period after the subscription, then 1, 2, 3 … one period apart.
  ///
  ///     result  --0-1-2-  interval(.seconds(2))
  ///
  ///     let ticks: Observable<Int, Never> = .interval(.seconds(1))
  ///
  /// A late tick does not shift the ones after it. If handling a tick takes longer than the period, the missed ticks
  /// are skipped and the phase is kept, so there is never a burst of stale ticks; the numbers count the ticks that were
  /// sent. A tick that waits in a buffer counts as handled, so a loop over `values(buffering: .unbounded)` that was
  /// away gets all ticks of that time at once; with `.newest(1)` it gets the last one.
  ///
  /// - Parameters:
  ///   - period: the time between ticks. A period that is not positive is taken as one millisecond, so that virtual
  ///     time gets ahead.
  ///   - scheduler: the source of time; it also decides which thread ticks.
  /// - Complexity: O(1) per tick; at most one timer is pending.
  public static func interval(
    _ period: Duration,
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    Observable(attach: { observer in
      IntervalTimer(period: period, scheduler: scheduler, observer: observer).scheduleNext()
    })
  }
}

extension Observable where Element == Void, Failure == Never {
  /// Makes a stream that sends once, `delay` after the subscription, and finishes.
  ///
  ///     result  --[a|]    timer(after: .seconds(2)), where a is ()
  ///
  /// - Parameters:
  ///   - delay: the time to wait. A delay that is not positive still goes by way of the scheduler.
  ///   - scheduler: the source of time.
  /// - Complexity: O(1).
  public static func timer(
    after delay: Duration,
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    Observable(attach: { observer in
      let timer = scheduler.schedule(at: scheduler.now.later(by: max(delay, .zero))) {
        CarriedCause.unknown.deliver {
          observer.send(())
          observer.end(.finished)
        }
      }
      observer.lifetime.onTermination { timer.cancel() }
    })
  }
}
