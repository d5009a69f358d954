/// The one subscription behind a shared stream.
///
/// Safe to share: the connection is behind the lock; subscribing, sending and letting go happen after unlocking.
final class ShareNode<Element: Sendable, Failure: Error>: Sendable {
  private struct Connection: Sendable {
    let hub: Hub<Element, Failure>
    let upstream = Lifetime()
    var subscribers = 0
    var hasEnded = false
  }

  private let source: Observable<Element, Failure>
  private let replayCount: Int
  private let connection = Lock<Connection?>(nil)

  init(of source: Observable<Element, Failure>, replaying replayCount: Int) {
    self.source = source
    self.replayCount = replayCount
  }

  func attach(_ observer: Observer<Element, Failure>) {
    let (joined, isFirst) = connection.withLock { connection in
      var joined = connection ?? Connection(hub: Hub(replaying: replayCount))
      let isFirst = connection == nil
      joined.subscribers += 1
      connection = joined
      return (joined, isFirst)
    }
    let upstream = joined.upstream
    observer.lifetime.onTermination { self.leave(upstream) }
    // Joined before the source is connected, so that the first subscriber misses nothing.
    joined.hub.attach(observer)
    if isFirst { connect(joined.hub, upstream) }
  }

  private func connect(_ hub: Hub<Element, Failure>, _ upstream: Lifetime) {
    guard upstream.isActive else { return }
    source.attach(
      Observer(lifetime: upstream, onValue: { _ = hub.send($0) }) { signal in
        switch signal {
        case .end(let end):
          self.connection.withLock { connection in
            if connection?.upstream === upstream { connection?.hasEnded = true }
          }
          upstream.terminate()
          _ = hub.end(end)
        case .barrier(let resume):
          hub.barrier(resume)
        }
      }
    )
  }

  private func leave(_ upstream: Lifetime) {
    let abandoned = connection.withLock { connection -> Connection? in
      guard connection?.upstream === upstream else { return nil }
      connection?.subscribers -= 1
      // An ended connection stays: the source must not be started again.
      guard let current = connection, current.subscribers == 0, !current.hasEnded else { return nil }
      connection = nil
      return current
    }
    abandoned?.upstream.terminate()
  }
}
