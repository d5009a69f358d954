import Streams
import Synchronization

@_exported import enum RASPSupport.UnheardReports

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
      hubs.noteFailure(failure) { hub.hasObservers }
    #endif
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
    /// A place of a program may make aggregators of one type again and again, so each kind of report is written once
    /// for each type of state.
    private static let written = UnheardReports.Once()

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
    func noteRelease(_ held: @escaping @Sendable () -> Int) {
      guard held() > 0 else { return }
      UnheardReports.soon {
        let count = held()
        guard count > 0 else { return }
        let kept = "\(count) of its subscribers \(count == 1 ? "is" : "are") still kept"
        self.write("release", "it was released, and \(kept): keep the aggregator in a property, or call `finish()`.")
      }
    }

    /// Writes a failure of a source a moment later, unless a subscriber has come by then.
    fileprivate func noteFailure(_ failure: SourceFailure, unless isHeard: @escaping @Sendable () -> Bool) {
      if isHeard() { return }
      UnheardReports.soon {
        if isHeard() { return }
        let name = failure.name.map { "the source \"\($0)\"" } ?? "a source"
        self.write("failure", "\(name) has failed: \(failure.error). Subscribe to `sourceFailures`, or use `retry`.")
      }
    }

    /// Writes a refusal that has no subscriber.
    @usableFromInline
    func noteRejection(_ text: () -> (event: String, reason: String)) {
      if hubs.withLock({ $0.rejections })?.hasObservers == true { return }
      let (event, reason) = text()
      write("rejection", "\(event) was refused: \(reason). Subscribe to `rejections`, or use `submit`.")
    }

    private func write(_ kind: String, _ text: String) {
      Self.written.write("\(String(reflecting: state)) \(kind)", "RASP, the aggregator of `\(state)`: \(text)")
    }
  #endif

  fileprivate func rejections(or make: () -> any EndingHub) -> any EndingHub {
    part(\.rejections, or: make) { $0.finish() }
  }

  package var health: HealthBoard {
    part(\.health, or: { HealthBoard { [weak self] in self?.noteRepeatedName($0) } }) { $0.close() }
  }

  var sourceFailures: Hub<SourceFailure, Never> { part(\.sourceFailures, or: { Hub(replaying: 16) }) { $0.finish() } }
  var diagnostics: Hub<AggregatorDiagnostic, Never> { part(\.diagnostics, or: { Hub(replaying: 0) }) { $0.finish() } }

  /// Returns one part, which is made when it is first asked for. If the aggregator has finished, the part ends at once.
  private func part<Part: Sendable>(
    _ place: WritableKeyPath<Hubs, Part?> & Sendable,
    or make: () -> Part,
    end: (Part) -> Void
  ) -> Part {
    let (part, hasEnded) = hubs.withLock { hubs in
      let part = hubs[keyPath: place] ?? make()
      hubs[keyPath: place] = part
      return (part, hubs.hasEnded)
    }
    if hasEnded { end(part) }
    return part
  }

  private func noteRepeatedName(_ name: String) {
    #if DEBUG
      diagnose(.repeatedSourceName(name))
    #endif
  }

  package func diagnose(_ diagnostic: AggregatorDiagnostic) {
    if diagnostic == .readDuringApply, hasToldOfRead { return }
    let isHeard = tell(diagnostic)
    if isHeard, diagnostic == .readDuringApply { toldOfRead.store(true, ordering: .relaxed) }
    #if DEBUG
      if !isHeard { write(diagnostic.kind, "\(diagnostic) Subscribe to `diagnostics`.") }
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

#if DEBUG
  extension AggregatorDiagnostic {
    /// What is written once: numbers make no other kind.
    fileprivate var kind: String {
      switch self {
      case .lineGrown: "growth"
      case .eventsRefused: "bound"
      default: "\(self)"
      }
    }
  }
#endif
