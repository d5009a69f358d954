import Logging
import Metrics
import Streams
import Synchronization

/// What a part of a pipeline tells the logger and the metrics while the process runs.
///
/// What happens often is counted where it happens, and told once per period: a flood of refused events is no flood of
/// lines in the log.
final class PartMonitor: Sendable {
  let logger: Logger
  private let factory: any MetricsFactory
  private let dimensions: [(String, String)]
  private let reads = Mutex<[@Sendable () -> Void]>([])
  private let subscriptions = SubscriptionBag()

  init(part: String, logger: Logger, factory: any MetricsFactory) {
    var logger = logger
    logger[metadataKey: "part"] = "\(part)"
    self.logger = logger
    self.factory = factory
    dimensions = [("part", part)]
  }

  /// Keeps a subscription as long as the process runs.
  func keep(_ subscription: Subscription) {
    subscriptions.insert(subscription)
  }

  /// Calls `read` once per period, and a last time at the end.
  func eachPeriod(_ read: @escaping @Sendable () -> Void) {
    reads.withLock { $0.append(read) }
  }

  /// Tells a number that goes up and down.
  func gauge(_ label: String, _ read: @escaping @Sendable () -> Int) {
    let gauge = Gauge(label: label, dimensions: dimensions, factory: factory)
    eachPeriod { gauge.record(read()) }
  }

  /// Tells how much a number that only grows has grown.
  func counter(_ label: String, _ read: @escaping @Sendable () -> Int) {
    let counter = Counter(label: label, dimensions: dimensions, factory: factory)
    let told = Mutex(0)
    eachPeriod {
      let growth = told.withLock { told in
        let total = read()
        defer { told = total }
        return total - told
      }
      if growth > 0 { counter.increment(by: growth) }
    }
  }

  /// Tells a number of something that has a name.
  func record(_ value: Int, of name: String, as dimension: String, in label: String) {
    Gauge(label: label, dimensions: dimensions + [(dimension, name)], factory: factory).record(value)
  }

  /// Tells what is read at a period.
  func read() {
    for read in reads.withLock({ $0 }) { read() }
  }

  func end() {
    read()
    subscriptions.cancel()
  }
}
