public import Streams

/// What was asked of a stream: when it was subscribed to, and how each subscription went out.
///
///     let log = SubscriptionLog(on: time)
///     let recorder = Recorder(source.recordingSubscriptions(in: log).prefix(1))
///     log.spans   // [subscribed at 0 s, cancelled at 1 s]
///
/// Safe from any thread.
public final class SubscriptionLog: Sendable {
  /// How a subscription went out.
  public enum Outcome: Sendable, Hashable {
    /// It still runs.
    case active
    /// The stream ended by itself.
    case ended
    /// The observer let go of it first.
    case cancelled
  }

  /// One subscription.
  public struct Span: Sendable, Hashable {
    /// When it began.
    public let subscribed: Duration
    /// When it was over.
    public fileprivate(set) var released: Duration?
    /// How it went out.
    public fileprivate(set) var outcome = Outcome.active
  }

  private let log = Lock<[Span]>([])
  private let time: VirtualScheduler?

  /// An empty log. Without a scheduler all instants are zero.
  public init(on time: VirtualScheduler? = nil) {
    self.time = time
  }

  /// All subscriptions so far, in the order they were made.
  public var spans: [Span] { log.withLock { $0 } }

  /// How many subscriptions were made.
  public var count: Int { spans.count }

  /// How many of them still run.
  public var activeCount: Int { spans.count { $0.outcome == .active } }

  fileprivate func begin() -> Int {
    let now = time?.now ?? .zero
    return log.withLock { spans in
      spans.append(Span(subscribed: now))
      return spans.count - 1
    }
  }

  fileprivate func finish(_ index: Int, _ outcome: Outcome) {
    let now = time?.now ?? .zero
    log.withLock { spans in
      guard spans[index].outcome == .active else { return }
      spans[index].released = now
      spans[index].outcome = outcome
    }
  }
}

extension Observable {
  /// The same stream; `log` learns of each subscription to it.
  public func recordingSubscriptions(in log: SubscriptionLog) -> Observable {
    let attach = attach
    return Observable(attach: { observer in
      let index = log.begin()
      observer.lifetime.onTermination { log.finish(index, .cancelled) }
      attach(
        Observer(
          lifetime: observer.lifetime,
          onValue: observer.onValue,
          onEnd: { end in
            log.finish(index, .ended)
            observer.end(end)
          },
          onAcknowledge: observer.onAcknowledge
        )
      )
    })
  }
}
