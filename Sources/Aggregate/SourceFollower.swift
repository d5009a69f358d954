import Streams

/// An aggregator, as its sources know it.
@usableFromInline
package protocol SourceFollower: AnyObject, Sendable {
  associatedtype State: AggregateState

  var sources: SourceList { get }
  var reports: Reports<State> { get }

  /// Folds an event, unless its source has been removed when its turn comes.
  func receive(_ event: State.Event, from source: SourceID?) -> Bool

  /// Folds events with nothing between them, unless their source has been removed when their turn comes.
  func receive(contentsOf events: [State.Event], from source: SourceID?) -> Bool

  /// Calls `action` when everything that has been accepted is folded.
  func behindAllEvents(_ action: @escaping @Sendable () -> Void)

  /// Does the same without ever delivering for others.
  ///
  /// - Parameter action: runs no user code.
  func runBehindAllEventsWithoutDelivering(_ action: @escaping @Sendable () -> Void)
}

extension SourceFollower {
  package var health: HealthBoard { reports.hubs.health }

  /// Adds a source to those there are.
  @inlinable
  package func add(_ newcomer: AnySource<State.Event>) -> SourceID {
    sources.add(newcomer.id, newcomer.membership)
    follow(newcomer)
    return newcomer.id
  }

  /// Adds a source whose health is noted under a name.
  package func add(
    _ source: some ObservableConvertible<State.Event, some Error>,
    as name: String,
    on scheduler: some Scheduler
  ) -> SourceID {
    let id = SourceID()
    return add(AnySource(source.monitored(by: health, as: name, of: id, on: scheduler), as: id))
  }

  /// Replaces all sources by newcomers, in one step, and ends the old ones before following the new.
  @inlinable
  package func replaceSources(with newcomers: [AnySource<State.Event>]) {
    sources.replace(with: newcomers.map { ($0.id, $0.membership) })
    for newcomer in newcomers { follow(newcomer) }
  }

  /// Subscribes to a source that has been registered, unless it was removed again.
  ///
  /// Inlinable, so that the way from a source to the fold is specialised where the aggregator is made.
  @inlinable
  func follow(_ newcomer: AnySource<State.Event>) {
    let id = newcomer.id
    let membership = newcomer.membership
    guard membership.isActive else { return }
    let upstream = Lifetime(within: membership)
    let feed = Feed(id, of: self)
    newcomer.attach(upstream) { event in
      feed.receive(event)
    } _: { events in
      feed.receive(contentsOf: events)
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
    if case .failed(let error) = end { reports.sourceFailed(id, error) }
  }
}

/// The way from one source to its aggregator, as the subscription to the source holds it.
///
/// It is released when the source can send nothing more. The list of sources is told of that behind everything of the
/// source that waits in the line; it forgets the identity of one that was removed, or that will be.
@usableFromInline
final class Feed<Follower: SourceFollower>: Sendable {
  @usableFromInline let follower: Follower
  @usableFromInline let id: SourceID

  @inlinable
  init(_ id: SourceID, of follower: Follower) {
    self.id = id
    self.follower = follower
  }

  deinit {
    guard follower.sources.mayBeKnown(id) else { return }
    follower.runBehindAllEventsWithoutDelivering { [sources = follower.sources, id] in sources.fallsSilent(id) }
  }

  @inlinable
  @inline(__always)
  func receive(_ event: Follower.State.Event) {
    _ = follower.receive(event, from: id)
  }

  @inlinable
  func receive(contentsOf events: [Follower.State.Event]) {
    _ = follower.receive(contentsOf: events, from: id)
  }
}
