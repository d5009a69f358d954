import RASPPrimitives
import RASPSupport
import Streams
import Synchronization

/// The reports of an aggregator beside its state: refused events, failed sources, mistakes. Each stream is made when it
/// is first asked for.
///
/// It is a handle: what it holds does not depend on the state, so to make and to end it asks for no type at run time.
///
/// Safe to share: as ``ReportHubs``.
@usableFromInline
package struct Reports<State: AggregateState>: Sendable {
  @usableFromInline typealias Rejections = Hub<RejectedEvent<State>, Never>

  @usableFromInline package let hubs: ReportHubs

  @inlinable
  package init() {
    hubs = ReportHubs(of: State.self)
  }

  package var rejections: Observable<RejectedEvent<State>, Never> {
    // Nothing else is ever put there.
    let hub = unsafeDowncast(hubs.rejections { Rejections(replaying: 0) }, to: Rejections.self)
    return Observable(attach: { hub.attach($0) })
  }

  package var sourceFailures: Observable<SourceFailure, Never> {
    let hub = hubs.sourceFailures
    return Observable(attach: { hub.attach($0) })
  }

  package var diagnostics: Observable<AggregatorDiagnostic, Never> {
    let hub = hubs.diagnostics
    return Observable(attach: { hub.attach($0) })
  }

  @inlinable
  package func reject(_ event: State.Event, _ reason: State.Rejection, isSubmitted: Bool) {
    #if DEBUG
      if !isSubmitted { hubs.noteRejection { (event: "\(event)", reason: "\(reason)") } }
    #endif
    // Without a subscriber there is nothing to send to.
    guard let hub = hubs.presentRejections else { return }
    _ = unsafeDowncast(hub, to: Rejections.self).send(RejectedEvent(event: event, reason: reason))
  }

  package func sourceFailed(_ source: SourceID, _ error: any Error) {
    let failure = SourceFailure(source: source, name: hubs.health.name(of: source), error: error)
    // Kept for later subscribers, because a source may fail before there can be one.
    let hub = hubs.sourceFailures
    _ = hub.send(failure)
    #if DEBUG
      if !hub.hasObservers { UnheardReport.sourceFailure(failure).writeSoon(of: State.self) { hub.hasObservers } }
    #endif
  }

  package func diagnose(_ diagnostic: AggregatorDiagnostic) {
    hubs.diagnose(diagnostic)
  }

  package func finish() {
    hubs.finish()
  }
}

/// A stream that can be ended by code that does not know its type.
private protocol EndingHub: AnyObject, Sendable {
  var hasObservers: Bool { get }
  func finish()
}

extension Hub {
  fileprivate var hasObservers: Bool { observerCount > 0 }
}

extension Hub: EndingHub where Failure == Never {
  fileprivate func finish() {
    _ = end(.finished)
  }
}

/// The streams of ``Reports``, as far as they have been asked for.
///
/// Safe to share: the hubs are behind the lock, and they are used after unlocking.
@usableFromInline
package final class ReportHubs: Sendable {
  private struct Hubs: Sendable {
    /// Its type depends on the state.
    var rejections: (any EndingHub)?
    var sourceFailures: Hub<SourceFailure, Never>?
    var diagnostics: Hub<AggregatorDiagnostic, Never>?
    var health: HealthBoard?
    var hasEnded = false
  }

  private let hubs = Lock(Hubs())
  private let toldOfRead = Atomic<Bool>(false)
  /// Whether a subscriber has been told of a read from inside `apply`, which an `apply` may do at each event.
  @usableFromInline package var hasToldOfRead: Bool { toldOfRead.load(ordering: .relaxed) }

  #if DEBUG
    private let state: any AggregateState.Type
  #endif

  /// - Parameter state: names the aggregator in what a debug build writes.
  @usableFromInline
  init(of state: any AggregateState.Type) {
    #if DEBUG
      self.state = state
    #endif
  }

  /// The stream of refused events, if it has been asked for. Its type depends on the state.
  @usableFromInline var presentRejections: AnyObject? { hubs.withLock { $0.rejections } }

  #if DEBUG
    /// Writes a moment later that the aggregator was released before its subscribers.
    ///
    /// - Parameter held: counts the subscribers that are kept.
    package func noteRelease(_ held: @escaping @Sendable () -> Int) {
      guard held() > 0 else { return }
      UnheardReports.soon { [state] in
        let subscribers = held()
        if subscribers > 0 { UnheardReport.released(subscribers: subscribers).write(of: state) }
      }
    }

    /// Writes a refusal that has no subscriber.
    @usableFromInline
    func noteRejection(_ text: () -> (event: String, reason: String)) {
      if hubs.withLock({ $0.rejections })?.hasObservers == true { return }
      let (event, reason) = text()
      UnheardReport.rejection(event: event, reason: reason).write(of: state)
    }
  #endif

  fileprivate func rejections(or make: () -> any EndingHub) -> any EndingHub {
    let (hub, hasEnded) = hubs.withLock { hubs -> (any EndingHub, Bool) in
      let hub = hubs.rejections ?? make()
      hubs.rejections = hub
      return (hub, hubs.hasEnded)
    }
    if hasEnded { hub.finish() }
    return hub
  }

  package var health: HealthBoard {
    let (health, hasEnded) = hubs.withLock { hubs in
      let health = hubs.health ?? HealthBoard { [weak self] in self?.noteRepeatedName($0) }
      hubs.health = health
      return (health, hubs.hasEnded)
    }
    if hasEnded { health.close() }
    return health
  }

  private func noteRepeatedName(_ name: String) {
    #if DEBUG
      diagnose(.repeatedSourceName(name))
    #endif
  }

  var sourceFailures: Hub<SourceFailure, Never> { hub(\.sourceFailures, replaying: 16) }
  var diagnostics: Hub<AggregatorDiagnostic, Never> { hub(\.diagnostics, replaying: 0) }

  private func hub<Report: Sendable>(
    _ keyPath: WritableKeyPath<Hubs, Hub<Report, Never>?> & Sendable,
    replaying count: Int
  ) -> Hub<Report, Never> {
    let (hub, hasEnded) = hubs.withLock { hubs in
      let hub = hubs[keyPath: keyPath] ?? Hub(replaying: count)
      hubs[keyPath: keyPath] = hub
      return (hub, hubs.hasEnded)
    }
    if hasEnded { hub.finish() }
    return hub
  }

  func diagnose(_ diagnostic: AggregatorDiagnostic) {
    if diagnostic == .readDuringApply, hasToldOfRead { return }
    let isHeard = tell(diagnostic)
    if isHeard, diagnostic == .readDuringApply { toldOfRead.store(true, ordering: .relaxed) }
    #if DEBUG
      if !isHeard { UnheardReport.diagnostic(diagnostic).write(of: state) }
    #endif
  }

  /// Reports what the line says of itself, on the thread that has sent. So the report does not stand in that line.
  @usableFromInline
  package func diagnose(_ alarm: LineAlarm) {
    switch alarm {
    case .grown(let count): diagnose(.lineGrown(count))
    case .refused(let count): diagnose(.eventsRefused(count))
    }
  }

  /// - Returns: whether there is a subscriber.
  package func tell(_ diagnostic: AggregatorDiagnostic) -> Bool {
    let hub = hubs.withLock { $0.diagnostics }
    _ = hub?.send(diagnostic)
    return hub?.hasObservers == true
  }

  func finish() {
    let ended = hubs.withLock { hubs in
      hubs.hasEnded = true
      return hubs
    }
    ended.rejections?.finish()
    ended.sourceFailures?.finish()
    ended.diagnostics?.finish()
    ended.health?.close()
  }
}
