import Streams

extension KeyedCore {
  /// Adds sources to those there are.
  @inlinable
  func add(_ newcomers: [AnySource<State.Event>]) {
    sources.add(newcomers)
    for newcomer in newcomers { follow(newcomer) }
  }

  /// Replaces all sources by newcomers, in one step, and ends the old ones before following the new.
  @inlinable
  func replaceSources(with newcomers: [AnySource<State.Event>]) {
    sources.replace(with: newcomers)
    for newcomer in newcomers { follow(newcomer) }
  }

  /// Subscribes to a source that has been registered, unless it was removed again.
  @inlinable
  func follow(_ newcomer: AnySource<State.Event>) {
    let id = newcomer.id
    let membership = newcomer.membership
    guard membership.isActive else { return }
    let upstream = Lifetime(within: membership)
    let feed = KeyedFeed(id, of: self)
    newcomer.attach(upstream) { event in
      feed.receive(event)
    } _: { end in
      upstream.terminate()
      self.behindAllEvents { self.sourceEnded(id, end) }
    } _: { acknowledgement in
      self.behindAllEvents(acknowledgement)
    }
  }

  @usableFromInline
  func sourceEnded(_ id: SourceID, _ end: StreamEnd<any Error>) {
    guard sources.sourceEnded(id) else { return }
    if case .failed(let error) = end { reports.sourceFailed(SourceFailure(source: id, error: error)) }
  }

  /// Calls `action` when everything that was accepted by any shard has been folded.
  @usableFromInline
  func behindAllEvents(_ action: @escaping @Sendable () -> Void) {
    let open = CountDownLatch(shards.count, then: action)
    for shard in shards {
      shard.queue.run { _, access in
        access.lend()
        open.countDown()
      }
    }
  }
}

/// The way from one source to a keyed aggregator, as the subscription to the source holds it; see ``Feed``.
@usableFromInline
final class KeyedFeed<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline let core: KeyedCore<Key, State>
  @usableFromInline let id: SourceID

  @usableFromInline
  init(_ id: SourceID, of core: KeyedCore<Key, State>) {
    self.id = id
    self.core = core
  }

  deinit {
    guard core.sources.isRemoved(id) else { return }
    let open = CountDownLatch(core.shards.count) { [sources = core.sources, id] in sources.forgetRemoved(id) }
    for shard in core.shards { shard.queue.maintain { _, _ in open.countDown() } }
  }

  @inlinable
  @inline(__always)
  func receive(_ event: State.Event) {
    _ = core.receive(event, from: id)
  }
}
