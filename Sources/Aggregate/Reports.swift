import Streams

/// The reports of an aggregator beside its state: refused events, failed sources, mistakes. Each stream is made when it
/// is first asked for.
///
/// Safe to share: the hubs are behind the lock, and they are used after unlocking.
@usableFromInline
final class Reports<State: AggregateState>: Sendable {
  private struct Hubs: Sendable {
    var rejections: Hub<RejectedEvent<State>, Never>?
    var sourceFailures: Hub<SourceFailure, Never>?
    var diagnostics: Hub<AggregatorDiagnostic, Never>?
    var hasEnded = false
  }

  private let hubs = Lock(Hubs())

  @usableFromInline
  init() {}

  var rejections: Observable<RejectedEvent<State>, Never> { observable(hub(\.rejections)) }
  var sourceFailures: Observable<SourceFailure, Never> { observable(hub(\.sourceFailures, replaying: 16)) }
  var diagnostics: Observable<AggregatorDiagnostic, Never> { observable(hub(\.diagnostics)) }

  @usableFromInline
  func reject(_ event: State.Event, _ reason: State.Rejection) {
    // Without a subscriber there is nothing to send to.
    _ = hubs.withLock(\.rejections)?.send(RejectedEvent(event: event, reason: reason))
  }

  func sourceFailed(_ failure: SourceFailure) {
    // Kept for later subscribers, because a source may fail before there can be a subscriber.
    _ = hub(\.sourceFailures, replaying: 16).send(failure)
  }

  func diagnose(_ diagnostic: AggregatorDiagnostic) {
    _ = hubs.withLock(\.diagnostics)?.send(diagnostic)
  }

  func finish() {
    let ended = hubs.withLock { hubs in
      hubs.hasEnded = true
      return hubs
    }
    _ = ended.rejections?.end(.finished)
    _ = ended.sourceFailures?.end(.finished)
    _ = ended.diagnostics?.end(.finished)
  }

  private func hub<Report: Sendable>(
    _ keyPath: WritableKeyPath<Hubs, Hub<Report, Never>?> & Sendable,
    replaying count: Int = 0
  ) -> Hub<Report, Never> {
    let (hub, hasEnded) = hubs.withLock { hubs in
      let hub = hubs[keyPath: keyPath] ?? Hub(replaying: count)
      hubs[keyPath: keyPath] = hub
      return (hub, hubs.hasEnded)
    }
    if hasEnded { _ = hub.end(.finished) }
    return hub
  }

  private func observable<Report: Sendable>(_ hub: Hub<Report, Never>) -> Observable<Report, Never> {
    Observable(attach: { hub.attach($0) })
  }
}
