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
    let (source, shell) = (observable, ShareShell { ShareConnection(Hub<Element, Failure>(replaying: count)) })
    return Observable<Element, Failure>(attach: { shell.attach($0, to: source) })
  }
}

/// One subscription to the source of a shared stream, and those who share it.
///
/// Its type does not depend on the values, so the code around the ``ShareMachine`` is compiled once and looks no type
/// up.
@usableFromInline
final class ShareConnection: Sendable {
  private let anyHub: any AnyObject & Sendable
  @usableFromInline let upstream = Lifetime()

  @usableFromInline
  init(_ hub: any AnyObject & Sendable) {
    anyHub = hub
  }

  /// The hub that it was made with, which has these types.
  @usableFromInline
  func hub<Element, Failure>(for: Observer<Element, Failure>.Type) -> Hub<Element, Failure> {
    unsafeDowncast(anyHub, to: Hub<Element, Failure>.self)
  }
}

/// The one subscription behind a shared stream: the shell of a ``ShareMachine``.
///
/// Safe to share: the machine is behind the lock; subscribing, sending and cancelling happen after unlocking.
@usableFromInline
final class ShareShell: Sendable {
  private let machine = Lock(ShareMachine<ShareConnection>())
  private let make: @Sendable () -> ShareConnection

  /// - Parameter make: makes a connection. It stands where the stream is shared, which is where the type of the values
  ///   is known, and all that keeps and delivers values is specialised there.
  @usableFromInline
  init(_ make: @escaping @Sendable () -> ShareConnection) {
    self.make = make
  }

  /// Adds an observer, and subscribes to the source if it is the first one.
  @inlinable
  func attach<Element, Failure>(_ observer: Observer<Element, Failure>, to source: Observable<Element, Failure>) {
    let (connection, connects) = join(until: observer.lifetime)
    let hub = connection.hub(for: Observer<Element, Failure>.self)
    // Joined before the source is subscribed to, so that the first subscriber misses nothing.
    hub.attach(observer)
    guard connects, connection.upstream.isActive else { return }
    source.attach(
      Observer(lifetime: connection.upstream) { value in
        _ = hub.send(value)
      } onEnd: { end in
        let failed = if case .failed = end { true } else { false }
        self.ended(connection, failed: failed)
        _ = hub.end(end)
      } onAcknowledge: { acknowledgement in
        hub.acknowledge(acknowledgement)
      }
    )
  }

  /// Takes in a subscriber, which leaves at the end of its lifetime.
  @usableFromInline
  func join(until lifetime: Lifetime) -> (joined: ShareConnection, connects: Bool) {
    let joined = machine.withLock { $0.joined(orNew: make) }
    // The lifetime keeps the closure.
    lifetime.onTermination { [unowned lifetime] in self.leave(joined.joined, cuttingOff: lifetime.isCutOff) }
    return joined
  }

  @usableFromInline
  func ended(_ connection: ShareConnection, failed: Bool) {
    machine.withLock { $0.ended(connection, failed: failed) }
    connection.upstream.terminate()
  }

  private func leave(_ connection: ShareConnection, cuttingOff isCutOff: Bool) {
    let abandoned = machine.withLock { $0.left(connection) }
    abandoned?.upstream.terminate(cuttingOff: isCutOff)
  }
}
