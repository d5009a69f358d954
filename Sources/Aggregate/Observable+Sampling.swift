import Streams

extension Observable where Failure == Never {
  /// Sends what `read` returns: at once, then once per period, and the last time when what is read is over.
  ///
  /// - Parameters:
  ///   - period: the time between two reads.
  ///   - scheduler: the source of time.
  ///   - isOver: whether nothing changes any more.
  ///   - read: returns what is to be sent; `nil` if it is nothing new. It gets what it has kept of the read before.
  static func sampling<Kept: Sendable>(
    every period: Duration,
    on scheduler: some Scheduler,
    until isOver: @escaping @Sendable () -> Bool,
    _ read: @escaping @Sendable (_ kept: inout Kept?) -> Element?
  ) -> Observable {
    Observable<Int, Never>.interval(period, on: scheduler).prepend(0).handleValues(with: { Kept?.none }) {
      kept,
      _,
      observer in
      // Asked first: what changes after it is sent at the next moment.
      let isLast = isOver()
      if let value = read(&kept) { observer.send(value) }
      if isLast { observer.end(.finished) }
    }
  }
}
