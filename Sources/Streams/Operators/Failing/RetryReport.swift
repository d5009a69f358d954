/// What one `retry` tells the monitor of the source that it belongs to.
///
/// Safe to share: it does not change.
@usableFromInline
final class RetryReport: Sendable {
  private let monitor: any StreamMonitor
  private let number: Int

  /// Makes a report if the source that is being subscribed to has a monitor.
  @usableFromInline
  init?() {
    guard let monitor = MonitorScope.current else { return nil }
    self.monitor = monitor
    number = monitor.retryBegan()
  }

  deinit {
    monitor.retryEnded(number)
  }

  @usableFromInline func failed() { monitor.retryFailed(number) }
  @usableFromInline func tried() { monitor.retryTried(number) }
  @usableFromInline func recovered() { monitor.retryRecovered(number) }
  @usableFromInline func ended() { monitor.retryEnded(number) }

  /// The stream, subscribed to with the same monitor in each try.
  @usableFromInline
  func monitored<Element: Sendable, Failure: Error>(
    _ source: Observable<Element, Failure>
  ) -> Observable<Element, Failure> {
    let monitor = monitor
    return Observable(attach: { observer in
      MonitorScope.bind(monitor) { source.attach(observer) }
    })
  }
}
