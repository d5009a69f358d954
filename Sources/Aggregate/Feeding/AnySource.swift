import Streams

/// A source of an aggregator without the type of its failure, so that the code on the way of an event does not depend
/// on that type.
@usableFromInline
struct AnySource<Event: Sendable>: Sendable {
  @usableFromInline let id = SourceID()
  /// The time in which it is a source. A source that has ended sends nothing more, but what it has sent still counts;
  /// the events of a source that was removed do not count any more. So there are two lifetimes: this one, and one for
  /// the subscription to the source.
  @usableFromInline let membership = Lifetime()
  @usableFromInline
  let attach:
    @Sendable (
      _ lifetime: Lifetime,
      _ onEvent: @escaping @Sendable (Event) -> Void,
      _ onEnd: @escaping @Sendable (StreamEnd<any Error>) -> Void,
      _ onAcknowledge: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> Void

  @inlinable
  init<Failure: Error>(_ source: Observable<Event, Failure>) {
    attach = { lifetime, onEvent, onEnd, onAcknowledge in
      source.attach(
        Observer(
          lifetime: lifetime,
          onValue: onEvent,
          onEnd: { end in
            switch end {
            case .finished: onEnd(.finished)
            case .failed(let error): onEnd(.failed(error))
            }
          },
          onAcknowledge: onAcknowledge
        )
      )
    }
  }
}

/// The sources of one aggregator, in the order in which they came.
///
/// Safe to share: they are behind the lock, and their memberships are ended after unlocking.
@usableFromInline
struct SourceList: ~Copyable, Sendable {
  /// `nil` once the aggregator has finished.
  private let memberships = Lock<OrderedDictionary<SourceID, Lifetime>?>(OrderedDictionary())

  @usableFromInline
  init() {}

  /// Registers sources; if the aggregator has finished, ends them instead.
  @usableFromInline
  func add<Event: Sendable>(_ sources: [AnySource<Event>]) {
    let isOpen = memberships.withLock { memberships in
      for source in sources { memberships?.add(source.membership, for: source.id) }
      return memberships != nil
    }
    if !isOpen { for source in sources { source.membership.terminate() } }
  }

  /// Replaces all sources, which are ended.
  @usableFromInline
  func replace<Event: Sendable>(with sources: [AnySource<Event>]) {
    var replacement = OrderedDictionary<SourceID, Lifetime>()
    for source in sources { replacement.add(source.membership, for: source.id) }
    let ended = memberships.withLock { [replacement] memberships in
      guard let current = memberships else { return replacement }
      memberships = replacement
      return current
    }
    for membership in ended.values { membership.terminate() }
  }

  /// Ends one source.
  ///
  /// - Returns: `false` if there is no such source.
  @usableFromInline
  func remove(_ id: SourceID) -> Bool {
    memberships.withLock { $0?.remove(id) }?.terminate() ?? false
  }

  /// Ends all sources, and all that are added later.
  func finish() {
    guard let ended = memberships.exchange(with: nil), !ended.isEmpty else { return }
    for membership in ended.values { membership.terminate() }
  }
}
