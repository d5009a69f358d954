import Streams

/// The running part of an aggregator: one delivery queue in front of one state.
///
/// The ``Aggregator`` owns it. Sources, subscriptions and selections hold the core, which is why none of them keeps the
/// aggregator alive.
///
/// Safe to share: `sources` is behind its lock, everything else is owned by the queue or safe by itself.
@usableFromInline
final class AggregatorCore<State: AggregateState>: SelectionTree {
  /// An event, and the source it came from, because that source may be removed while the event waits in line.
  @usableFromInline
  struct Incoming: Sendable {
    @usableFromInline let event: State.Event
    @usableFromInline let source: Lifetime?

    @inlinable
    init(event: State.Event, source: Lifetime?) {
      self.event = event
      self.source = source
    }
  }

  @usableFromInline let queue = DeliveryQueue<Incoming>()
  @usableFromInline let state: StateSlot<State>
  @usableFromInline let round = Round()
  @usableFromInline let branch = SelectionBranch<State>()
  @usableFromInline let stateListeners = Listeners()
  @usableFromInline let eventListeners = Listeners()
  /// The event of this round, while there are listeners to events.
  @usableFromInline let currentEvent = Confined<State.Event?>(nil)
  @usableFromInline let hasEnded = Confined(false)

  /// Every list somebody is on, to be finished at the end.
  private let lists = Confined<[ObjectIdentifier: Listeners]>([:])
  /// `nil` once finished.
  private let sources = Lock<OrderedDictionary<SourceID, Lifetime>?>(OrderedDictionary())

  @usableFromInline let rejections = Subject<RejectedEvent<State>, Never>()
  /// Replayed, because a source may fail before anybody can listen.
  let sourceFailures = Subject<SourceFailure, Never>(replaying: 16)
  let diagnostics = Subject<AggregatorDiagnostic, Never>()

  @usableFromInline
  init(initial: State) {
    state = StateSlot(initial)
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  func receive(_ event: State.Event, from source: Lifetime?) -> Bool {
    #if DEBUG
      if state.isBeingChangedHere { report(.sentDuringApply) }
    #endif
    guard queue.enter() else { return receiveLater(event, from: source) }
    fold(event)
    if !queue.leave() { drain() }
    return true
  }

  /// For a queue that was not idle. Retains nothing of this object, which another thread is delivering from: counting
  /// references would take its memory away.
  @inlinable
  @inline(never)
  func receiveLater(_ event: State.Event, from source: Lifetime?) -> Bool {
    switch queue.admit(Incoming(event: event, source: source)) {
    case .queued: return true
    case .refused: return false
    case .entered:
      deliver(Incoming(event: event, source: source))
      if !queue.leave() { drain() }
      return true
    }
  }

  @inlinable
  @inline(never)
  func drain() {
    queue.drain { deliver($0) }
  }

  /// An event that has waited in line.
  @inlinable
  func deliver(_ incoming: Incoming) {
    if let source = incoming.source, !source.isActive { return }
    fold(incoming.event)
  }

  /// One event: one fold, one round.
  @inlinable
  @inline(__always)
  func fold(_ event: State.Event) {
    let hasEventListeners = !eventListeners.isEmpty
    if hasEventListeners {
      currentEvent.value = event
      round.note(eventListeners)
    }
    do throws(State.Rejection) {
      try state.fold(event)
      round.note(stateListeners)
      branch.update(from: state.confined)
      round.notify()
    } catch {
      round.notify()
      rejections.send(RejectedEvent(event: event, reason: error))
    }
    if hasEventListeners { currentEvent.value = nil }
  }

  /// The state for any thread.
  @usableFromInline
  func snapshot() -> State {
    state.copy { report(.readDuringApply) }
  }

  // MARK: Listeners

  @usableFromInline
  func listen(
    _ lifetime: Lifetime,
    joining join: @escaping @Sendable () -> Joining,
    orEnded ended: @escaping @Sendable () -> Void
  ) {
    queue.run {
      if self.hasEnded.value {
        ended()
      } else if lifetime.isActive {
        self.admit(lifetime, join())
      }
    } deliver: {
      deliver($0)
    }
  }

  private func admit(_ lifetime: Lifetime, _ joining: Joining) {
    let listeners = joining.listeners
    lists.value[ObjectIdentifier(listeners)] = listeners
    listeners.all.value.append(
      Listener(
        order: round.nextOrder(),
        lifetime: lifetime,
        notify: joining.notify,
        finish: joining.finish
      )
    )
    lifetime.onTermination { self.dismiss(lifetime, joining) }
    if lifetime.isActive, joining.startsWithCurrent { joining.notify() }
  }

  private func dismiss(_ lifetime: Lifetime, _ joining: Joining) {
    let removed = queue.maintain {
      remove(lifetime, joining)
    } orLater: {
      _ = self.remove(lifetime, joining)
    }
    _ = consume removed
  }

  private func remove(_ lifetime: Lifetime, _ joining: Joining) -> [any Sendable] {
    guard let listener = joining.listeners.remove(lifetime) else { return [] }
    if joining.listeners.isEmpty { lists.value[ObjectIdentifier(joining.listeners)] = nil }
    return joining.leave() + [listener]
  }

  // MARK: Sources

  /// A source on its way in.
  @usableFromInline
  struct Newcomer: Sendable {
    @usableFromInline let feed: Feed<State.Event>
    @usableFromInline let id = SourceID()
    /// A source that has ended sends nothing more, but what it has sent still counts; a source that was removed does not
    /// count any more. So there are two lifetimes: this one, and one for what the source sees.
    @usableFromInline let membership = Lifetime()

    @inlinable
    init(_ feed: Feed<State.Event>) {
      self.feed = feed
    }
  }

  /// Adds sources to those there are.
  @inlinable
  func add(_ newcomers: [Newcomer]) {
    register(newcomers)
    for newcomer in newcomers { follow(newcomer) }
  }

  /// Registers newcomers; once finished, lets go of them instead.
  @usableFromInline
  func register(_ newcomers: [Newcomer]) {
    let isRunning = sources.withLock { sources in
      for newcomer in newcomers { sources?.add(newcomer.membership, for: newcomer.id) }
      return sources != nil
    }
    if !isRunning { for newcomer in newcomers { newcomer.membership.terminate() } }
  }

  /// Subscribes to a newcomer that has been registered, unless it was let go of again already.
  ///
  /// Inlinable, so that the way from a source to the fold is specialised where the aggregator is made.
  @inlinable
  func follow(_ newcomer: Newcomer) {
    let id = newcomer.id
    let membership = newcomer.membership
    guard membership.isActive else { return }
    let upstream = Lifetime(within: membership)
    let onEvent: @Sendable (State.Event) -> Void = { event in
      _ = self.receive(event, from: membership)
    }
    newcomer.feed.attach(upstream, onEvent) { signal in
      switch signal {
      case .end(let end):
        upstream.terminate()
        self.queue.run({ self.detach(id, end) }, deliver: { self.deliver($0) })
      case .barrier(let resume):
        self.queue.run(resume, deliver: { self.deliver($0) })
      }
    }
  }

  /// Lets go of a source; events of it that wait in line are dropped.
  func detach(_ id: SourceID) -> Bool {
    let lifetime = sources.withLock { $0?.remove(id) }
    return lifetime?.terminate() ?? false
  }

  /// Puts newcomers in the place of all sources, in one step, and lets go of the old ones before following the new.
  @inlinable
  func replaceSources(with newcomers: [Newcomer]) {
    registerInstead(newcomers)
    for newcomer in newcomers { follow(newcomer) }
  }

  @usableFromInline
  func registerInstead(_ newcomers: [Newcomer]) {
    var memberships = OrderedDictionary<SourceID, Lifetime>()
    for newcomer in newcomers { memberships.add(newcomer.membership, for: newcomer.id) }
    let dismissed = sources.withLock { [memberships] sources in
      guard let current = sources else { return memberships }
      sources = memberships
      return current
    }
    for membership in dismissed.values { membership.terminate() }
  }

  @usableFromInline
  func detach(_ id: SourceID, _ end: StreamEnd<any Error>) {
    guard detach(id) else { return }
    if case .failed(let error) = end { sourceFailures.send(SourceFailure(source: id, error: error)) }
  }

  // MARK: End

  func finish() -> Bool {
    queue.close({ self.end() }, deliver: { deliver($0) })
  }

  private func end() {
    hasEnded.value = true
    for lifetime in sources.exchange(with: nil)?.values ?? [] { lifetime.terminate() }
    let listeners = lists.value.values.flatMap { $0.all.value.objects }.sorted { $0.order < $1.order }
    for listener in listeners { listener.finish() }
    rejections.finish()
    sourceFailures.finish()
    diagnostics.finish()
  }

  /// Reports behind what is being done now: the mistake may have been made inside `apply`, where the state is locked and
  /// a report that reads or sends would be the next mistake.
  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    queue.run({ _ = self.diagnostics.send(diagnostic) }, deliver: { deliver($0) })
  }
}
