public import Streams

/// A log of the subscriptions to a stream: when each began, when it was over, and its outcome.
///
///     let log = SubscriptionLog(on: time)
///     let recorder = Recorder(source.recordingSubscriptions(in: log).prefix(1))
///     log.spans   // [subscribed at 0 s, cancelled at 1 s]
///
/// - Concurrency: every member may be called from any thread.
public final class SubscriptionLog: Sendable {
  /// The outcome of a subscription.
  public enum Outcome: Sendable, Hashable {
    /// It still runs.
    case active
    /// The stream ended by itself.
    case ended
    /// The observer cancelled it before the stream ended.
    case cancelled
  }

  /// One subscription.
  public struct Span: Sendable, Hashable {
    /// The instant at which it began.
    public let subscribed: Duration
    /// The instant at which it was over.
    public fileprivate(set) var released: Duration?
    /// The outcome.
    public fileprivate(set) var outcome = Outcome.active
  }

  private let log = Lock<[Span]>([])
  private let time: VirtualScheduler?

  /// Makes an empty log. Without a scheduler all instants are zero.
  public init(on time: VirtualScheduler? = nil) {
    self.time = time
  }

  /// All subscriptions so far, in the order they were made.
  public var spans: [Span] { log.withLock { $0 } }

  /// The number of subscriptions that were made.
  public var count: Int { spans.count }

  /// The number of subscriptions that still run.
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
  /// Sends the same events, and records each subscription in `log`.
  public func recordingSubscriptions(in log: SubscriptionLog) -> Observable {
    let attach = attach
    return Observable(attach: { observer in
      let index = log.begin()
      observer.lifetime.onTermination { log.finish(index, .cancelled) }
      attach(
        Observer(
          lifetime: observer.lifetime,
          onValue: { observer.send($0) },
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
