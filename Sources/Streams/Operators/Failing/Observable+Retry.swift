extension Observable {
  /// Subscribes again when this stream fails.
  ///
  ///     source  a-^
  ///     result  a-a-^     retry(1)
  ///
  /// - Parameters:
  ///   - limit: how many times to try again; the failure after that is the failure of the result. Zero or less means not
  ///     at all.
  ///   - delay: how long to wait before each new try, see ``RetryDelay``.
  ///   - scheduler: where time comes from. Not asked when there is no delay.
  /// - Ordering: values of the tries follow one another; each try starts from the beginning, if the stream does so for
  ///   each subscription.
  /// - Complexity: constant stack, also for a stream that fails as soon as it is subscribed to.
  public func retry(
    _ limit: Int,
    delay: RetryDelay = .none,
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    let attach = attach
    return Observable(attach: { observer in
      RetryNode(attach: attach, limit: limit, delay: delay, scheduler: scheduler, observer: observer).start()
    })
  }
}
