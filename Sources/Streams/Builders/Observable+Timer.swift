extension Observable where Element == Int, Failure == Never {
  /// Ticks for ever: 0 one period after the subscription, then 1, 2, 3 … one period apart.
  ///
  ///     let ticks: Observable<Int, Never> = .interval(.seconds(1))
  ///
  /// A late tick does not shift the ones after it. If handling a tick takes longer than the period, the ticks that were
  /// missed are skipped and the phase is kept, so there is never a burst of stale ticks; the numbers count the ticks
  /// that were sent.
  ///
  /// - Parameters:
  ///   - period: the time between ticks. A period that is not positive is taken as one millisecond, so that virtual time
  ///     gets ahead.
  ///   - scheduler: where time comes from; the scheduler also decides which thread ticks.
  @inlinable
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
  /// Fires once, `delay` after the subscription, and finishes.
  ///
  /// - Parameters:
  ///   - delay: how long to wait; not at all if it is not positive, but still by way of the scheduler.
  ///   - scheduler: where time comes from.
  @inlinable
  public static func timer(
    after delay: Duration,
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    Observable(attach: { observer in
      let timer = scheduler.schedule(at: scheduler.now.later(by: max(delay, .zero))) {
        observer.send(())
        observer.end(.finished)
      }
      observer.lifetime.onTermination { timer.cancel() }
    })
  }
}
