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
  @inlinable
  public func share(replaying count: Int = 0) -> Observable<Element, Failure> {
    let node = ShareShell(of: observable, replaying: count)
    return Observable<Element, Failure>(attach: { node.attach($0) })
  }
}

/// One subscription to the source of a shared stream, and those who share it.
@usableFromInline
final class ShareConnection<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline let hub: Hub<Element, Failure>
  @usableFromInline let upstream = Lifetime()

  init(replaying count: Int) {
    hub = Hub(replaying: count)
  }
}

/// The one subscription behind a shared stream: the shell of a ``ShareMachine``.
///
/// Safe to share: the machine is behind the lock; subscribing, sending and cancelling happen after unlocking.
@usableFromInline
final class ShareShell<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Connection = ShareConnection<Element, Failure>

  @usableFromInline let source: Observable<Element, Failure>
  private let replayCount: Int
  private let machine = Lock(ShareMachine<Connection>())

  @usableFromInline
  init(of source: Observable<Element, Failure>, replaying replayCount: Int) {
    self.source = source
    self.replayCount = replayCount
  }

  @inlinable
  func attach(_ observer: Observer<Element, Failure>) {
    if let connection = join(observer) { connect(connection) }
  }

  /// Adds an observer.
  ///
  /// - Returns: the connection, if its source is to be subscribed to.
  @usableFromInline
  func join(_ observer: Observer<Element, Failure>) -> Connection? {
    let (connection, connects) = machine.withLock { machine in
      machine.joined { Connection(replaying: replayCount) }
    }
    observer.lifetime.onTermination { self.leave(connection) }
    // Joined before the source is subscribed to, so that the first subscriber misses nothing.
    connection.hub.attach(observer)
    return connects ? connection : nil
  }

  @inlinable
  func connect(_ connection: Connection) {
    guard connection.upstream.isActive else { return }
    let hub = connection.hub
    source.attach(
      Observer(lifetime: connection.upstream) { value in
        _ = hub.send(value)
      } onEnd: { end in
        self.ended(connection, end)
      } onAcknowledge: { acknowledgement in
        self.acknowledge(connection, acknowledgement)
      }
    )
  }

  @usableFromInline
  func acknowledge(_ connection: Connection, _ acknowledgement: @escaping @Sendable () -> Void) {
    connection.hub.acknowledge(acknowledgement)
  }

  @usableFromInline
  func ended(_ connection: Connection, _ end: StreamEnd<Failure>) {
    let failed = if case .failed = end { true } else { false }
    machine.withLock { $0.ended(connection, failed: failed) }
    connection.upstream.terminate()
    _ = connection.hub.end(end)
  }

  private func leave(_ connection: Connection) {
    let abandoned = machine.withLock { $0.left(connection) }
    abandoned?.upstream.terminate()
  }
}
