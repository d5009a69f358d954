public import Streams

/// A source that can be redirected while it runs.
///
///     let position = EventSource(following: gps)
///     let geo = Aggregator(initial: GeoState(), sources: position.events)
///     position.jump(to: replay)
///
/// A jump cancels the stream that is being followed and follows the next one. It also counts while there is no
/// subscriber: one that comes later follows the newest stream.
///
/// - Completion: a stream that finishes leaves the source open for the next jump. When the `EventSource` is released,
///   it cannot be redirected any more, and ``events`` finishes with the stream it follows.
/// - Errors: a failure of the stream that is followed is a failure of the source. Use `catch` on a stream before you
///   jump to it, if the source should survive its failure.
/// - Concurrency: every member may be called from any thread.
/// - Complexity: a jump is O(subscribers), and an event costs what `switchToLatest()` costs: O(1) for each subscriber.
public final class EventSource<Event: Sendable, Failure: Error>: Sendable {
  @usableFromInline let targets: Subject<Observable<Event, Failure>, Failure>

  /// Makes a source that follows nothing yet.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init() {
    targets = Subject(replaying: 1)
  }

  /// Makes a source that follows `stream` until the first jump.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(following stream: Observable<Event, Failure>) {
    targets = Subject(initial: stream)
  }

  /// Follows `stream` from now on, in place of the stream before, which is cancelled first.
  ///
  /// - Complexity: O(subscribers), beside the cost of cancelling and of subscribing for each of them.
  @inlinable
  public func jump(to stream: Observable<Event, Failure>) {
    targets.send(stream)
  }

  /// The events of the stream that is being followed. Each subscription follows it by itself.
  ///
  /// - Complexity: O(1). Subscribing is O(1) amortised, beside the cost of subscribing to the stream.
  @inlinable
  public var events: Observable<Event, Failure> {
    targets.switchToLatest()
  }
}
