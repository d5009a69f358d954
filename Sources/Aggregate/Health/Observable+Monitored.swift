public import Streams

extension ObservableConvertible {
  /// Notes on a board how this stream fares while it is subscribed to.
  ///
  ///     let board = HealthBoard()
  ///     let fixes = gps.retry(.exponential(from: .seconds(1)), onEvent: board.retries(of: "gps"))
  ///       .monitored(by: board, as: "gps")
  ///     board["gps"]?.outages
  ///
  /// Write it behind `retry`, whose `onEvent` tells the board of outages and tries. The next value ends an outage, so
  /// the streams of a merge get a name each.
  ///
  /// - Parameters:
  ///   - board: gets the health.
  ///   - name: the name on the board. Two streams that run at the same time need different names: the second one passes
  ///     and is not watched. A debug build reports it on ``Aggregator/diagnostics`` if the board is that of an
  ///     aggregator.
  ///   - scheduler: the source of time for the instants of ``SourceHealth``.
  /// - Ordering: an event is counted before it is passed on.
  /// - Complexity: reads the clock and takes a lock for each event.
  public func monitored(
    by board: HealthBoard,
    as name: String,
    on scheduler: some Scheduler = .continuous
  ) -> Observable<Element, Failure> {
    monitored(by: board, as: name, of: nil, on: scheduler)
  }

  /// - Parameter id: the identity, if the stream is a source of an aggregator.
  func monitored(
    by board: HealthBoard,
    as name: String,
    of id: SourceID?,
    on scheduler: some Scheduler
  ) -> Observable<Element, Failure> {
    let attach = observable.attach
    return Observable<Element, Failure>(attach: { observer in
      let health = SourceHealth(name: name, source: id, connectedSince: scheduler.now)
      guard let source = board.add(health) else { return attach(observer) }
      observer.lifetime.onTermination { board.note(source) { $0.cancel() } }
      attach(
        observer.upstream(lifetime: observer.lifetime) { value in
          let now = scheduler.now
          board.note(source) { $0.receive(at: now) }
          observer.send(value)
        } onEnd: { (end: StreamEnd<Failure>) in
          board.note(source) { $0.end(end) }
          observer.end(end)
        }
      )
    })
  }
}
