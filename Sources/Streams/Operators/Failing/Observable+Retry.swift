extension ObservableConvertible {
  /// Subscribes again when this stream fails.
  ///
  ///     source  a-^
  ///     result  a-a-^     retry(1)
  ///
  /// - Parameters:
  ///   - limit: the number of new tries in all, however many values came in between. The failure after the last one is
  ///     the failure of the result. Zero or less means no new try.
  ///   - delay: the time to wait before each new try, see ``RetryDelay``.
  ///   - scheduler: the source of time. It is not asked when there is no delay.
  ///   - onEvent: is told of each failure that is followed by a new try, and of each new try.
  /// - Ordering: values of the tries follow one another; each try starts from the beginning, if the stream does so for
  ///   each subscription.
  ///   `onEvent` is called before the new try begins or the delay begins, on the thread that brings it about.
  /// - Errors: the failure of the last try is the failure of the result.
  /// - Complexity: O(1) per value, and constant stack, also for a stream that fails as soon as it is subscribed to.
  @inlinable
  @inline(__always)
  public func retry(
    _ limit: Int,
    delay: RetryDelay = .none,
    on scheduler: some Scheduler = .continuous,
    onEvent: @escaping @Sendable (RetryEvent) -> Void = { _ in }
  ) -> Observable<Element, Failure> {
    let rule = RetryRule(limit: limit, delay: delay, recovery: .never)
    return retried(rule, on: StageTime(scheduler), if: { _ in true }, onEvent: onEvent)
  }

  /// Subscribes again when this stream fails, as long as the failures are those of one that comes back.
  ///
  ///     source  a-^
  ///     result  a--a--a-  retry(.constant(.seconds(1)))
  ///
  ///     let fixes = gps.retry(.exponential(from: .seconds(1), limit: .seconds(60), jitter: 0.5)) { $0.isTransient }
  ///
  /// Failures are counted per outage. The first failure begins an outage, and `recovery` says what ends it. A stream
  /// that has worked again for a while is so tried again quickly, however often it failed before.
  ///
  /// - Parameters:
  ///   - delay: the time to wait before each new try, see ``RetryDelay``. It gets the number of the try in this outage.
  ///   - limit: the number of new tries in one outage. Zero or less means no new try.
  ///   - recovery: the end of an outage: the next value, unless you say otherwise.
  ///   - scheduler: the source of time.
  ///   - isTransient: gets each failure, and says whether to try again. Without it every failure is tried again.
  ///   - onEvent: as for ``retry(_:delay:on:onEvent:)``.
  /// - Ordering: as ``retry(_:delay:on:onEvent:)``.
  /// - Errors: a failure that is not transient, or that comes when the limit of an outage is reached, is the failure of
  ///   the result.
  /// - Complexity: as ``retry(_:delay:on:onEvent:)``.
  @inlinable
  @inline(__always)
  public func retry(
    _ delay: RetryDelay,
    limit: Int = .max,
    recovery: RetryRecovery = .value,
    on scheduler: some Scheduler = .continuous,
    if isTransient: @escaping @Sendable (Failure) -> Bool = { _ in true },
    onEvent: @escaping @Sendable (RetryEvent) -> Void = { _ in }
  ) -> Observable<Element, Failure> {
    let rule = RetryRule(limit: limit, delay: delay, recovery: recovery)
    return retried(rule, on: StageTime(scheduler), if: isTransient, onEvent: onEvent)
  }

  @inlinable
  func retried(
    _ rule: RetryRule,
    on time: StageTime,
    if isTransient: @escaping @Sendable (Failure) -> Bool,
    onEvent: @escaping @Sendable (RetryEvent) -> Void
  ) -> Observable<Element, Failure> {
    let source = observable
    return Observable<Element, Failure>(attach: { observer in
      let machine = RetryMachine(source, rule, if: isTransient, onEvent: onEvent)
      let tries = RetryShell(machine, on: time, into: observer)
      tries.follow(source, as: 0)
    })
  }
}
