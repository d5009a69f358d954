public import Streams

extension ObservableConvertible {
  /// Gives a source of an aggregator a name, by which the aggregator knows its health.
  ///
  ///     let geo = Aggregator(
  ///       initial: GeoState(),
  ///       sources: gps.retry(.exponential(from: .seconds(1))).map(GeoEvent.location).named("gps")
  ///     )
  ///     geo.health(of: "gps")?.outages
  ///
  /// Write it behind `retry`, which it then watches. It counts for what an aggregator subscribes to, directly or as one
  /// of the streams of `merge`: it does nothing for a stream that is subscribed to in another way, or later, as those
  /// of `switchToLatest` are. A `retry` in front of a `share` tells the source that connects it.
  ///
  /// - Parameters:
  ///   - name: the name. Two sources of an aggregator that run at the same time need different names: the second one is
  ///     not watched, and a debug build reports it on ``Aggregator/diagnostics``.
  ///   - scheduler: the source of time for the instants of ``SourceHealth``.
  /// - Ordering: an event is counted before it is passed on.
  /// - Complexity: reads the clock and takes a lock for each event.
  public func named(
    _ name: String,
    on scheduler: some Scheduler = .continuous
  ) -> Observable<Element, Failure> {
    let attach = observable.attach
    return Observable<Element, Failure>(attach: { observer in
      guard let monitor = MonitorScope.current?.monitor(named: name, on: scheduler) else { return attach(observer) }
      observer.lifetime.onTermination { monitor.cancelled() }
      MonitorScope.bind(monitor) {
        attach(
          observer.upstream(lifetime: observer.lifetime) { value in
            monitor.received()
            observer.send(value)
          } onEnd: { (end: StreamEnd<Failure>) in
            switch end {
            case .finished: monitor.ended(nil)
            case .failed(let failure): monitor.ended(failure)
            }
            observer.end(end)
          }
        )
      }
    })
  }
}
