extension ObservableConvertible {
  /// Shares one subscription to this stream between all subscribers of the result.
  ///
  /// The first subscriber connects, the last one to leave disconnects, and the next one connects anew.
  ///
  ///     source  a-b-c|
  ///     result  a-b-c|    share(), to the first subscriber
  ///
  /// - Parameter count: the number of newest values to hand to each newcomer. Only values of the present connection
  ///   count: after a reconnection there are none to replay at first.
  /// - Completion: once the stream has finished it is not subscribed to again. A later subscriber gets what is replayed
  ///   and then the end.
  /// - Errors: a failure reaches all subscribers. The next one connects anew, so a `retry` behind a shared stream
  ///   subscribes to the source again.
  /// - Ordering: all subscribers see one sequence and are called in the order of subscription.
  /// - Concurrency: several threads may subscribe at once; the source is connected once.
  /// - Complexity: O(subscribers) per value. Subscribing is O(1) amortised, plus the values that are replayed;
  ///   cancelling is O(log subscribers) amortised.
  public func share(replaying count: Int = 0) -> Observable<Element, Failure> {
    let node = ShareShell(of: observable, replaying: count)
    return Observable<Element, Failure>(attach: { node.attach($0) })
  }
}

/// The one subscription behind a shared stream: the shell of a ``ShareMachine``.
///
/// Safe to share: the machine is behind the lock; subscribing, sending and cancelling happen after unlocking.
final class ShareShell<Element: Sendable, Failure: Error>: Sendable {
  private final class Connection: Sendable {
    let hub: Hub<Element, Failure>
    let upstream = Lifetime()

    init(replaying count: Int) {
      hub = Hub(replaying: count)
    }
  }

  private let source: Observable<Element, Failure>
  private let replayCount: Int
  private let machine = Lock(ShareMachine<Connection>())

  init(of source: Observable<Element, Failure>, replaying replayCount: Int) {
    self.source = source
    self.replayCount = replayCount
  }

  func attach(_ observer: Observer<Element, Failure>) {
    let (connection, connects) = machine.withLock { machine in
      machine.joined { Connection(replaying: replayCount) }
    }
    observer.lifetime.onTermination { self.leave(connection) }
    // Joined before the source is subscribed to, so that the first subscriber misses nothing.
    connection.hub.attach(observer)
    if connects { connect(connection) }
  }

  private func connect(_ connection: Connection) {
    guard connection.upstream.isActive else { return }
    source.attach(
      Observer(lifetime: connection.upstream) { value in
        _ = connection.hub.send(value)
      } onEnd: { end in
        let failed = if case .failed = end { true } else { false }
        self.machine.withLock { $0.ended(connection, failed: failed) }
        connection.upstream.terminate()
        _ = connection.hub.end(end)
      } onAcknowledge: { acknowledgement in
        connection.hub.acknowledge(acknowledgement)
      }
    )
  }

  private func leave(_ connection: Connection) {
    let abandoned = machine.withLock { $0.left(connection) }
    abandoned?.upstream.terminate()
  }
}
